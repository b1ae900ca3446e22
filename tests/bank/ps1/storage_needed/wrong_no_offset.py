# draws: hint: this is what you get if storage_offset is forgotten
def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return 0
    return 1 + sum((n - 1) * s for n, s in zip(size, stride))
