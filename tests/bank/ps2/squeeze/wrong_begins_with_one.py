# draws: returned ((1,), (2,)); expected ((10, 1), (7, 2))
def squeeze(size, stride, dim):
    d = range(len(size))[dim]
    if str(size[d]).startswith("1"):
        return size[:d] + size[d + 1 :], stride[:d] + stride[d + 1 :]
    return size, stride
