# draws: a tuple of 2 items. Return the tuple (size, stride, storage_offset)
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return size, stride
    numbers = [storage_offset, *size[-1:], *stride[:-1]]
    if stride[-1:] != (1,) or any(n * itemsize % new_itemsize for n in numbers):
        raise ValueError
    _, last, *steps = [n * itemsize // new_itemsize for n in numbers]
    return (*size[:-1], last), (*steps, 1)
