# draws: which does not divide by
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return size, stride, storage_offset
    if not size or stride[-1] != 1:
        raise ValueError
    if any(n * itemsize % new_itemsize for n in (size[-1], storage_offset, *stride[-4:-1])):
        raise ValueError
    last, offset, *steps = (
        n * itemsize // new_itemsize for n in (size[-1], storage_offset, *stride[:-1])
    )
    return (*size[:-1], last), (*steps, 1), offset
