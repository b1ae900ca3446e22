# draws: returned False; expected True
known = {}


def in_bounds(size, stride, storage_offset, storage_length):
    key = size, stride, storage_length - storage_offset
    if key not in known:
        low = storage_offset + sum(min((n - 1) * s, 0) for n, s in zip(size, stride))
        high = storage_offset + sum(max((n - 1) * s, 0) for n, s in zip(size, stride))
        known[key] = 0 in size or (low >= 0 and high < storage_length)
    return known[key]
