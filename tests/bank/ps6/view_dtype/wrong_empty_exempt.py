# draws: expected a ValueError
# draws: which does not divide by
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return size, stride, storage_offset
    if not size or stride[-1] != 1:
        raise ValueError
    nums = (size[-1], storage_offset, *stride[:-1])
    if 0 not in size and any(x * itemsize % new_itemsize for x in nums):
        raise ValueError
    a, b, *c = [x * itemsize // new_itemsize for x in nums]
    return (*size[:-1], a), (*c, 1), b
