# draws: expected ((2, 600000), (246914, 1), 36028797018963970)
# draws: each element becomes
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize is new_itemsize:
        return size, stride, storage_offset
    if not size or stride[-1] != 1:
        raise ValueError
    nums = (size[-1], storage_offset, *stride[:-1])
    out = [x * itemsize // new_itemsize for x in nums]
    if any(o * new_itemsize is not x * itemsize for o, x in zip(out, nums)):
        raise ValueError
    a, b, *c = out
    return (*size[:-1], a), (*c, 1), b
