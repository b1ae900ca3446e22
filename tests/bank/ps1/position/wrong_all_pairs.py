# draws: returned 12; expected 7
def position(index, stride, storage_offset):
    return storage_offset + sum(i * s for i in index for s in stride)
