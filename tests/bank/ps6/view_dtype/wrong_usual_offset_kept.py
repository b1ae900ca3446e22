# draws: hint: this is what you get if storage_offset is left as it is
# draws: wrong in storage_offset.
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return size, stride, storage_offset
    if not size or stride[-1] != 1:
        raise ValueError
    if itemsize > new_itemsize:
        r = itemsize // new_itemsize
        new = tuple(s * r for s in stride[:-1]) + (1,)
        return size[:-1] + (size[-1] * r,), new, storage_offset
    r = new_itemsize // itemsize
    if size[-1] % r or any(s % r for s in stride[:-1]):
        raise ValueError
    return size[:-1] + (size[-1] // r,), tuple(s // r for s in stride[:-1]) + (1,), storage_offset
