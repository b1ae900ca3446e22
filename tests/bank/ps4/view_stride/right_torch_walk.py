def view_stride(size, stride, new_size):
    if 0 in size:
        return tuple(0 for _ in new_size)
    if len(size) == 0:
        return tuple(new_size)
    result = [1] * len(new_size)
    new = len(new_size) - 1
    chunk = 1
    base = stride[-1]
    for d in range(len(size) - 1, -1, -1):
        chunk *= size[d]
        if d > 0 and (size[d - 1] == 1 or stride[d - 1] == chunk * base):
            continue
        filled = 1
        while new >= 0 and (filled < chunk or new_size[new] == 1):
            result[new] = filled * base
            filled *= new_size[new]
            new -= 1
        if filled != chunk:
            return None
        if d > 0:
            base, chunk = stride[d - 1], 1
    return tuple(result)
