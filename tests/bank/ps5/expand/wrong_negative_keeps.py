# draws: hint: this is what you get if each negative size keeps the size that is there. Only -1 does, and only for a dim that is there.
# draws: returned (1,); expected a ValueError, because size -2 is negative.
def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0:
        raise ValueError("too short")
    result = []
    below = 0
    for dim in reversed(range(len(new_size))):
        own = dim >= lead
        n, step = (size[dim - lead], stride[dim - lead]) if own else (1, below)
        wanted = n if own and new_size[dim] < 0 else new_size[dim]
        if wanted != n:
            if n != 1 or wanted < 0:
                raise ValueError("no fit")
            step = 0
        below = wanted * step
        result.append(step)
    return tuple(result[::-1])
