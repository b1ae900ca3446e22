# draws: returned True; expected False
# draws: hint: this is what you get if only the first and the last element are checked
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    at, inside = storage_offset, 0 <= storage_offset < storage_length
    for n, s in zip(size, stride):
        at += (n - 1) * s
        inside = inside and 0 <= at < storage_length
    return inside
