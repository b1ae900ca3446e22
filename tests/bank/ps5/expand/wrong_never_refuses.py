# draws: returned (0,); expected a ValueError, because size -2 is negative.
# draws: rule: a size is 0 or more, or -1 for a dim that stays: -2 is neither.
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
