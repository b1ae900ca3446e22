# draws: expected a ValueError, because a dim would have to be dropped
# draws: rule: expand adds dims at the left and drops none: of rank 1 it cannot make rank 0.
def expand(size, stride, new_size):
    steps = []
    right = 0
    for k in range(1, len(new_size) + 1):
        n = size[-k] if k <= len(size) else 1
        step = stride[-k] if k <= len(size) else right
        m = n if new_size[-k] == -1 else new_size[-k]
        if m != n:
            step = 0
        steps.append(step)
        right = m * step
    return tuple(reversed(steps))
