# draws: one item is 2, an int. Return a tuple of ints
def diagonal(size, stride, storage_offset, offset):
    return min(size), sum(stride), storage_offset
