# draws: expected a ValueError, because dim 0 is new, so -1 cannot stand for its size
# draws: rule: a new dim needs a size of 0 or more, and dim 0 is given -1
def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0:
        raise ValueError
    size = (1,) * lead + size
    steps = list((None,) * lead + stride)
    full = tuple(n if m == -1 else m for n, m in zip(size, new_size))
    for d in reversed(range(len(full))):
        if full[d] < 0 or size[d] not in (1, full[d]):
            raise ValueError
        if d < lead:
            steps[d] = full[d + 1] * steps[d + 1]
        if size[d] != full[d]:
            steps[d] = 0
    return tuple(steps)
