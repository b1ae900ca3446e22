# draws: returned ((1, 2), (7, 2)); expected ((2,), (2,))
# draws: if nothing is ever dropped
_done = set()


def squeeze(size, stride, dim):
    d = range(len(size))[dim]
    if size[d] != 1 or (size, stride, d) in _done:
        return size, stride
    _done.add((size, stride, d))
    return size[:d] + size[d + 1 :], stride[:d] + stride[d + 1 :]
