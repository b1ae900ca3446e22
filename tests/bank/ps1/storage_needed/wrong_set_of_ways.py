# draws: returned 2; expected 3
# draws: hint: this is what you get if only the dim that leads furthest counts
def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return 0
    return storage_offset + sum({(n - 1) * s for n, s in zip(size, stride)}) + 1
