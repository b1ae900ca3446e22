def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return (size, stride, storage_offset)
    if len(size) == 0:
        raise ValueError("rank 0")
    if stride[-1] != 1:
        raise ValueError("last stride must be 1")
    size = list(size)
    stride = list(stride)
    if itemsize > new_itemsize:
        r = itemsize // new_itemsize
        size[-1] = size[-1] * r
        for d in range(len(stride) - 1):
            stride[d] = stride[d] * r
        return (tuple(size), tuple(stride), storage_offset * r)
    r = new_itemsize // itemsize
    for number in [storage_offset, size[-1]] + stride[:-1]:
        if number % r != 0:
            raise ValueError(f"{number} does not divide by {r}")
    size[-1] = size[-1] // r
    for d in range(len(stride) - 1):
        stride[d] = stride[d] // r
    return (tuple(size), tuple(stride), storage_offset // r)
