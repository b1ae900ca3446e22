# draws: add rank + 1
# draws: dim -1 counts in the result, of rank 2
def unsqueeze(size, stride, dim):
    if dim < -len(size) - 1 or dim > len(size):
        raise IndexError
    if dim < 0:
        dim += len(size)
    own = 1 if dim == len(size) else size[dim] * stride[dim]
    return size[:dim] + (1,) + size[dim:], stride[:dim] + (own,) + stride[dim:]
