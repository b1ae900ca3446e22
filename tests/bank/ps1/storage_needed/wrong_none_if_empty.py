# draws: returned None. Return an int. Is a `return` missing?
# draws: has no elements, so it needs no storage
def storage_needed(size, stride, storage_offset):
    if 0 not in size:
        return storage_offset + sum((n - 1) * s for n, s in zip(size, stride)) + 1
