# draws: returned ((1,), (5,)); expected ((), ())
def squeeze(size, stride, dim):
    d = range(len(size))[dim]
    if size[d] == 1 and len(size) > 1:
        return size[:d] + size[d + 1 :], stride[:d] + stride[d + 1 :]
    return size, stride
