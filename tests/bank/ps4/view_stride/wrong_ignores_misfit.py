# draws: expected None
# draws: rule: (4,) would need one dim across two that do not merge
def view_stride(size, stride, new_size):
    if 0 in size or not size:
        return (1,) * len(new_size)
    result = [1] * len(new_size)
    new = len(new_size) - 1
    chunk = 1
    base = stride[-1]
    for d in range(len(size) - 1, -1, -1):
        chunk *= size[d]
        if d == 0 or (size[d - 1] != 1 and stride[d - 1] != chunk * base):
            filled = 1
            while new >= 0 and (filled < chunk or new_size[new] == 1):
                result[new] = filled * base
                filled *= new_size[new]
                new -= 1
            base, chunk = stride[d - 1], 1
    return tuple(result)
