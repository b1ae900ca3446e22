# draws: a tuple of 3 items. Return the tuple (size, stride, storage_offset, storage_length)
def resize(size, stride, storage_offset, storage_length, new_size):
    if size == new_size:
        return size, stride, storage_offset
    new_stride, step = [], 1
    for n in reversed(new_size):
        new_stride.insert(0, step)
        step *= max(n, 1)
    return new_size, tuple(new_stride), storage_offset
