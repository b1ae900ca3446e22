# draws: returned 1; expected 2
def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return 0
    if 0 in stride:
        k = stride.index(0)
        size, stride = size[k:], stride[k:]
    return storage_offset + sum((n - 1) * s for n, s in zip(size, stride)) + 1
