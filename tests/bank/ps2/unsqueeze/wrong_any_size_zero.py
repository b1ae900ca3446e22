# draws: returned ((1, 2, 0), (0, 7, 2)); expected ((1, 2, 0), (14, 7, 2))
def unsqueeze(size, stride, dim):
    d = range(len(size) + 1)[dim]
    own = size[d] * stride[d] if d < len(size) else 1
    if 0 in size:
        own = 0 if d < len(size) else 1
    return size[:d] + (1,) + size[d:], stride[:d] + (own,) + stride[d:]
