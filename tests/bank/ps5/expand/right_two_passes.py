def resolve(size, new_size):
    lead = len(new_size) - len(size)
    if lead < 0:
        raise ValueError
    own = tuple(n if m == -1 else m for n, m in zip(size, new_size[lead:]))
    full = new_size[:lead] + own
    if any(m < 0 for m in full) or any(n not in (1, m) for n, m in zip(size, own)):
        raise ValueError
    return full


def expand(size, stride, new_size):
    full = resolve(size, new_size)
    lead = len(full) - len(size)
    steps = [s if n == m else 0 for n, s, m in zip(size, stride, full[lead:])]
    for n in reversed(full[:lead]):
        steps.insert(0, steps[0] * full[len(full) - len(steps)] if n == 1 else 0)
    return tuple(steps)
