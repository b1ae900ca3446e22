# draws: a tuple of 2 items. Return the tuple (size, stride, storage_offset)
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return size, stride
    raise ValueError
