# draws: expected (9007199254740993, 1)
# draws: a step of so many bytes, counted in elements of
def element_strides(byte_strides, itemsize):
    steps = [s / itemsize for s in byte_strides]
    if any(x < 0 or not x.is_integer() for x in steps):
        raise ValueError(steps)
    return tuple(int(x) for x in steps)
