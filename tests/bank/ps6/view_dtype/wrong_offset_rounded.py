# draws: hint: this is what you get if storage_offset is rounded down
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return size, stride, storage_offset
    if not size or stride[-1] != 1:
        raise ValueError

    def scale(n):
        return n * itemsize // new_itemsize

    r = max(1, new_itemsize // itemsize)
    if size[-1] % r or any(s % r for s in stride[:-1]):
        raise ValueError
    strides = tuple(scale(s) for s in stride[:-1]) + (1,)
    return size[:-1] + (scale(size[-1]),), strides, scale(storage_offset)
