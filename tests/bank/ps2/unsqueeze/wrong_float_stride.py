# draws: returned ((1, 2, 3), (18014398509481984, 9007199254740993, 2)); expected ((1, 2, 3), (18014398509481986, 9007199254740993, 2))
def unsqueeze(size, stride, dim):
    d = range(len(size) + 1)[dim]
    return size[:d] + (1,) + size[d:], stride[:d] + (
        int(size[d] * float(stride[d])) if d < len(size) else 1,
    ) + stride[d:]
