# draws: returned 34464; expected 165536
def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return 0
    return (storage_offset + 1 + sum((n - 1) * s for n, s in zip(size, stride))) % 65536
