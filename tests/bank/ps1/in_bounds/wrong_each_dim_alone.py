# draws: returned True; expected False
# draws: hint: this is what you get if each dim is looked at by itself
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    if not size:
        return storage_offset < storage_length
    return (
        all(0 <= storage_offset + (n - 1) * s < storage_length for n, s in zip(size, stride))
        and storage_offset < storage_length
    )
