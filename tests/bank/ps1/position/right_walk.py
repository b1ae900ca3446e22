def position(index, stride, storage_offset):
    # really walk there, one step at a time
    at = storage_offset
    for dim in range(len(index)):
        for _ in range(index[dim]):
            at += stride[dim]
    return at
