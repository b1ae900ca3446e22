def _whole(nbytes, itemsize):
    count, rest = divmod(nbytes, itemsize)
    if rest:
        raise ValueError(f"{nbytes} bytes are no whole number of elements of {itemsize}")
    return count


def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if new_itemsize == itemsize:
        return size, stride, storage_offset
    if stride[-1:] != (1,):
        raise ValueError("the last dim does not go byte after byte")
    # Everything in bytes, and then back in the new elements.
    *outer, last = size
    steps = [_whole(step * itemsize, new_itemsize) for step in stride[:-1]]
    return (
        (*outer, _whole(last * itemsize, new_itemsize)),
        (*steps, 1),
        _whole(storage_offset * itemsize, new_itemsize),
    )
