def unsqueeze(size, stride, dim):
    rank = len(size)
    dim = range(rank + 1)[dim]
    own = size[dim] * stride[dim] if dim < rank else 1
    return size[:dim] + (1,) + size[dim:], stride[:dim] + (own,) + stride[dim:]
