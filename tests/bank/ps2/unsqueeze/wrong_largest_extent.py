# draws: returned ((1, 2, 3), (9, 3, 3)); expected ((1, 2, 3), (6, 3, 3))
def unsqueeze(size, stride, dim):
    d = range(len(size) + 1)[dim]
    own = max((n * s for n, s in zip(size[d:], stride[d:])), default=1)
    return size[:d] + (1,) + size[d:], stride[:d] + (own,) + stride[d:]
