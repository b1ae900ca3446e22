# draws: returned 2; expected 4
def position(index, stride, storage_offset):
    for i, s in zip(index, stride):
        if not s:
            return storage_offset
        storage_offset += i * s
    return storage_offset
