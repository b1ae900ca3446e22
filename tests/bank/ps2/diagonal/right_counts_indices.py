def diagonal(size, stride, storage_offset, offset):
    on_it = [i for i in range(size[0]) if 0 <= i + offset < size[1]]
    if on_it:
        first = on_it[0]
        storage_offset += first * stride[0] + (first + offset) * stride[1]
    return (len(on_it),), (stride[0] + stride[1],), storage_offset
