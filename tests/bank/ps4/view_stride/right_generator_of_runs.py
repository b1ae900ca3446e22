def factors(size, stride):
    # The dims from the right as (elements, step), neighbours merged.
    elements, step = 1, 0
    for n, s in zip(reversed(size), reversed(stride)):
        if n == 1:
            continue
        if elements > 1 and s != elements * step:
            yield elements, step
            elements = 1
        if elements == 1:
            step = s
        elements *= n
    yield elements, step


def view_stride(size, stride, new_size):
    if 0 in size:
        return (1,) * len(new_size)
    runs = factors(size, stride)
    left, step = next(runs)
    out = ()
    for n in reversed(new_size):
        if n > 1 and left == 1:
            left, step = next(runs)
        if left % n:
            return None
        out = (step,) + out
        left //= n
        step *= n
    return out
