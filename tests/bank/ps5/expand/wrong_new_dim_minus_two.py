# draws: hint: this is what you get if only -1 is refused for a new dim. No negative size fits there.
# draws: returned (0, 0); expected a ValueError, because dim 0 is new, so -2 cannot stand for its size.
def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0 or -1 in new_size[:lead]:
        raise ValueError("no")
    steps = []
    for dim in reversed(range(len(new_size))):
        wanted = new_size[dim]
        if dim < lead:
            step = right_size * steps[0] if wanted == 1 else 0
        elif wanted in (-1, size[dim - lead]):
            wanted, step = size[dim - lead], stride[dim - lead]
        elif size[dim - lead] == 1 and wanted >= 0:
            step = 0
        else:
            raise ValueError("no")
        steps.insert(0, step)
        right_size = wanted
    return tuple(steps)
