# draws: hint: this is what you get if leading dims of size 1 may be dropped. expand drops no dim.
# draws: returned (1,); expected a ValueError, because a dim would have to be dropped.
def expand(size, stride, new_size):
    while len(size) > len(new_size) and size[0] == 1:
        size, stride = size[1:], stride[1:]
    lead = len(new_size) - len(size)
    if lead < 0:
        raise ValueError("too short")
    steps, right = [], 0
    for place in range(1, len(new_size) + 1):
        n, step = (size[-place], stride[-place]) if place <= len(size) else (1, right)
        wanted = new_size[-place]
        wanted = n if wanted == -1 and place <= len(size) else wanted
        if wanted != n:
            if n != 1 or wanted < 0:
                raise ValueError("no fit")
            step = 0
        steps.insert(0, step)
        right = wanted * step
    return tuple(steps)
