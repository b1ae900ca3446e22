# draws: the header stays
# draws: raised ValueError: last stride
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if size == ():
        if itemsize != new_itemsize:
            raise ValueError("rank 0")
        return size, stride, storage_offset
    if stride[-1] != 1:
        raise ValueError("last stride")
    numbers = [size[-1], storage_offset, *stride[:-1]]
    if any(n * itemsize % new_itemsize for n in numbers):
        raise ValueError("does not divide")
    last, offset, *steps = [n * itemsize // new_itemsize for n in numbers]
    return (*size[:-1], last), (*steps, 1), offset
