def in_bounds(size, stride, storage_offset, storage_length):
    np = list(zip(size, stride))
    storage = sum((n - 1) * s for n, s in np if s < 0) + storage_offset
    rows = sum((n - 1) * s for n, s in np if s > 0) + storage_offset
    return not all(size) or not (storage < 0 or rows >= storage_length)
