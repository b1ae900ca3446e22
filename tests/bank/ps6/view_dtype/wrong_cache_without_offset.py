# draws: expected ((2, 8), (6, 1), 4): wrong in storage_offset
# draws: each element becomes
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    key = size, stride, itemsize, new_itemsize
    if key not in KNOWN:
        if itemsize == new_itemsize:
            KNOWN[key] = size, stride, storage_offset
        else:
            if not size or stride[-1] != 1:
                raise ValueError
            nums = (size[-1], storage_offset, *stride[:-1])
            if any(x * itemsize % new_itemsize for x in nums):
                raise ValueError
            a, b, *c = [x * itemsize // new_itemsize for x in nums]
            KNOWN[key] = (*size[:-1], a), (*c, 1), b
    return KNOWN[key]


KNOWN = {}
