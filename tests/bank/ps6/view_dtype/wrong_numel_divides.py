# draws: which does not divide by
from math import prod


def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return size, stride, storage_offset
    if not size or stride[-1] != 1:
        raise ValueError
    numbers = [prod(size), storage_offset, *stride[:-1]]
    if any(n * itemsize % new_itemsize for n in numbers):
        raise ValueError
    last, offset, *steps = (
        n * itemsize // new_itemsize for n in (size[-1], storage_offset, *stride[:-1])
    )
    return (*size[:-1], last), (*steps, 1), offset
