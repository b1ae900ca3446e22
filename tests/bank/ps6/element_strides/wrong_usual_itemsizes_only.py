# draws: expected (1, 1)
# draws: a step of so many bytes, counted in elements of
def element_strides(byte_strides, itemsize):
    units = {1: 1, 2: 2, 4: 4, 8: 8, 16: 16}
    unit = units.get(itemsize, 8)
    if any(s < 0 or s % unit for s in byte_strides):
        raise ValueError
    return tuple(s // unit for s in byte_strides)
