# draws: hint: this is what you get if every stride has to clear all the smaller dims
# draws: returned True; expected False
def has_overlap(size, stride):
    if 0 in size:
        return False
    dims = sorted((s, n) for n, s in zip(size, stride) if n > 1)
    reach = 0
    for s, n in dims:
        if s <= reach:
            return True
        reach += s * (n - 1)
    return False
