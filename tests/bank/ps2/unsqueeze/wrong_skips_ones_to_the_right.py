# draws: returned ((1, 1, 2), (4, 7, 2)); expected ((1, 1, 2), (7, 7, 2))
def unsqueeze(size, stride, dim):
    d = range(len(size) + 1)[dim]
    k = d
    while k < len(size) - 1 and size[k] == 1:
        k += 1
    own = size[k] * stride[k] if k < len(size) else 1
    return size[:d] + (1,) + size[d:], stride[:d] + (own,) + stride[d:]
