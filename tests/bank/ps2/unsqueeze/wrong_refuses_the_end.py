# draws: raised IndexError
# draws: nothing stands to the right of the new dim, so its stride is 1
def unsqueeze(size, stride, dim):
    rank = len(size)
    if dim < 0:
        dim += rank + 1
    if dim < 0 or dim >= rank:
        raise IndexError("dim out of range")
    own = size[dim] * stride[dim]
    return size[:dim] + (1,) + size[dim:], stride[:dim] + (own,) + stride[dim:]
