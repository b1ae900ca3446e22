# draws: Return a tuple of ints; one item is
def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0 or any(m < 0 for m in new_size[:lead]):
        raise ValueError
    sizes, steps = [], []
    for n, s, m in zip(size, stride, new_size[lead:]):
        if m not in (-1, n) and (n != 1 or m < 0):
            raise ValueError
        sizes.append(n if m == -1 else m)
        steps.append(s if m in (-1, n) else 0)
    for m in reversed(new_size[:lead]):
        steps.insert(0, sizes[0] * steps[0] if m == 1 else 0)
        sizes.insert(0, m)
    return tuple(sizes), tuple(steps)
