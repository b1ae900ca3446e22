# draws: returned ((0, 1), (3, 0)); expected ((0, 1), (3, 1))
def unsqueeze(size, stride, dim):
    d = range(len(size) + 1)[dim]
    own = size[d] * stride[d] if d < len(size) else int(0 not in size)
    return size[:d] + (1,) + size[d:], stride[:d] + (own,) + stride[d:]
