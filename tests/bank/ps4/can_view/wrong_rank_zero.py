# draws: raised IndexError
# draws: rule: a single element can be viewed in any size
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    inner, step, run = 1, stride[-1], 1
    for d in reversed(range(len(size))):
        if size[d] == 1:
            continue
        if run > 1 and stride[d] != run * step:
            if inner not in [math.prod(new_size[k:]) for k in range(len(new_size))]:
                return False
            run = 1
        if run == 1:
            step = stride[d]
        run *= size[d]
        inner *= size[d]
    return True
