# draws: hint: this is what you get if the other strides are left as they are
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return size, stride, storage_offset
    if not size or stride[-1] != 1:
        raise ValueError
    if size[-1] * itemsize % new_itemsize or storage_offset * itemsize % new_itemsize:
        raise ValueError
    last = size[-1] * itemsize // new_itemsize
    return (*size[:-1], last), stride, storage_offset * itemsize // new_itemsize
