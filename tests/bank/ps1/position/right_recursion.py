def position(index, stride, storage_offset):
    if not index:
        return storage_offset
    *outer, i = index
    *steps, step = stride
    return position(outer, steps, storage_offset + i * step)
