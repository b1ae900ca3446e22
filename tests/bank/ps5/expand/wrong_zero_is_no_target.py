# draws: raised ValueError: 1 cannot become 0, in line 18 (`raise ValueError(f"{n} cannot become {m}")`); expected (0,).
# draws: goes from size 1 to 0 and gets stride 0
def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0:
        raise ValueError
    steps, right = [], 0
    for d in reversed(range(len(new_size))):
        m = new_size[d]
        if d >= lead:
            n, step = size[d - lead], stride[d - lead]
            if m == -1:
                m = n
        else:
            n, step = 1, right
        if m != n:
            if n != 1 or m < 1:
                raise ValueError(f"{n} cannot become {m}")
            step = 0
        steps.append(step)
        right = m * step
    return tuple(steps[::-1])
