def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if new_itemsize == itemsize:
        return size, stride, storage_offset
    if size == () or stride[-1] != 1:
        raise ValueError
    if new_itemsize < itemsize:
        return view_dtype(
            size[:-1] + (2 * size[-1],),
            tuple(2 * s for s in stride[:-1]) + (1,),
            2 * storage_offset,
            itemsize // 2,
            new_itemsize,
        )
    if size[-1] & 1 or storage_offset & 1 or any(s & 1 for s in stride[:-1]):
        raise ValueError
    return view_dtype(
        size[:-1] + (size[-1] // 2,),
        tuple(s // 2 for s in stride[:-1]) + (1,),
        storage_offset // 2,
        itemsize * 2,
        new_itemsize,
    )
