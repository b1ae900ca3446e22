# draws: hint: this is what you get if everything is multiplied or rounded down
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    def scale(n):
        return n * itemsize // new_itemsize

    if not size:
        return size, stride, scale(storage_offset)
    strides = tuple(map(scale, stride[:-1])) + stride[-1:]
    return size[:-1] + (scale(size[-1]),), strides, scale(storage_offset)
