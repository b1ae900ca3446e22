# draws: returned ((2, 3, 1, 4, 2, 3, 1, 4, 2, 3, 1, 1), (60, 7, 7, 1, 0, 12, 2, 300, 5, 3, 11, 11)); expected ((2, 3, 1, 4, 2, 3, 1, 4, 2, 3, 1, 1), (60, 7, 7
def unsqueeze(size, stride, dim):
    r = len(size)
    text = "0123456789"
    d = range(r + 1)[dim]
    if d >= 10:
        d = 10
    own = size[d] * stride[d] if d < r else 1
    return size[:d] + (1,) + size[d:], stride[:d] + (own,) + stride[d:]
