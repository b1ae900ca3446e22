# draws: hint: this is what you get if every dim of size 1 gets stride 0. One that stays 1 keeps its stride
def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0 or any(m < 0 for m in new_size[:lead]):
        raise ValueError
    for n, m in zip(size, new_size[lead:]):
        if m not in (-1, n) and (n != 1 or m < 0):
            raise ValueError
    return (0,) * lead + tuple(0 if n == 1 else s for n, s in zip(size, stride))
