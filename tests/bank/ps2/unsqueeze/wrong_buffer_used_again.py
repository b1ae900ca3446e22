# draws: returned ((2, 1), (3, 6)); expected ((2, 1), (3, 1))
_b = [1]


def unsqueeze(size, stride, dim):
    d = range(len(size) + 1)[dim]
    if d < len(size):
        _b[0] = size[d] * stride[d]
    return size[:d] + (1,) + size[d:], stride[:d] + (_b[0],) + stride[d:]
