def storage_needed(size, stride, storage_offset):
    if size == ():
        return storage_offset + 1
    n, *sizes = size
    s, *strides = stride
    if n == 0:
        return 0
    return storage_needed(tuple(sizes), tuple(strides), storage_offset + s * (n - 1))
