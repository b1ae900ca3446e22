def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    ratio, joined = (
        max(itemsize, new_itemsize) // min(itemsize, new_itemsize),
        new_itemsize > itemsize,
    )

    def scaled(values):
        for value in values:
            if not joined:
                yield value * ratio
            elif value % ratio:
                raise ValueError(value)
            else:
                yield value // ratio

    if ratio == 1:
        return size, stride, storage_offset
    if len(size) == 0 or stride[-1] != 1:
        raise ValueError("last dim")
    return (
        size[:-1] + tuple(scaled(size[-1:])),
        tuple(scaled(stride[:-1])) + (1,),
        next(scaled([storage_offset])),
    )
