# draws: counted in elements of 8
def element_strides(byte_strides, itemsize):
    if any(s < 0 or s % itemsize for s in byte_strides):
        raise ValueError("bad strides")
    return tuple(int(s / itemsize) for s in byte_strides)
