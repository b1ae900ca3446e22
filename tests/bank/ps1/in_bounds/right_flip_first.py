def in_bounds(size, stride, storage_offset, storage_length):
    if any(n == 0 for n in size):
        return True
    # flip every dim that runs backwards: same positions, and the first element is the lowest
    first = storage_offset
    last = storage_offset
    for n, s in zip(size, stride):
        step = (n - 1) * s
        first, last = (first + step, last) if step < 0 else (first, last + step)
    return bool(first >= 0) and not last >= storage_length
