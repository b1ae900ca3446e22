# draws: expected ((2, 600000), (246914, 1), 36028797018963970): wrong in stora
# draws: each element becomes
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return size, stride, storage_offset
    if not size or stride[-1] != 1:
        raise ValueError
    r = itemsize / new_itemsize
    nums = [x * r for x in (size[-1], storage_offset, *stride[:-1])]
    if any(x != int(x) for x in nums):
        raise ValueError
    a, b, *c = map(int, nums)
    return (*size[:-1], a), (*c, 1), b
