def position(index, stride, storage_offset):
    where = storage_offset
    for i, step in zip(index, stride):
        where = where + i * step
    return where
