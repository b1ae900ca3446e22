# draws: the element furthest out has the index (
def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return 0
    return storage_offset + 1 + sum((n - 1) * s for n, s in list(zip(size, stride))[:5])
