# draws: returned ((2,), (3, 1)); expected ((1, 2), (3, 1))
def squeeze(size, stride, dim):
    d = range(len(size))[dim]
    if size[d] != 1:
        return size, stride
    return tuple(n for n in size if n is not size[d]), stride[:d] + stride[d + 1 :]
