# draws: a float. Return an int: // divides without leaving the ints
def element_strides(byte_strides, itemsize):
    if any(s < 0 or s % itemsize for s in byte_strides):
        raise ValueError("bad strides")
    return tuple(s / itemsize for s in byte_strides)
