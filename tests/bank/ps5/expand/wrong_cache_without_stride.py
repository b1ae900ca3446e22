# draws: returned (3,); expected (1,).
known = {}


def expand(size, stride, new_size):
    if (size, new_size) in known:
        return known[size, new_size]
    lead = len(new_size) - len(size)
    if lead < 0:
        raise ValueError("too short")
    steps, right = [], 0
    for dim in reversed(range(len(new_size))):
        n, step = (size[dim - lead], stride[dim - lead]) if dim >= lead else (1, right)
        wanted = n if new_size[dim] == -1 and dim >= lead else new_size[dim]
        if wanted != n:
            if n != 1 or wanted < 0:
                raise ValueError("no fit")
            step = 0
        steps.append(step)
        right = wanted * step
    known[size, new_size] = tuple(steps[::-1])
    return known[size, new_size]
