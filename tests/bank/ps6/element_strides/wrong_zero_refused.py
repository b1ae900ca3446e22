# draws: hint: this is what you get if 0 is refused too
def element_strides(byte_strides, itemsize):
    if any(s <= 0 or s % itemsize for s in byte_strides):
        raise ValueError("bad strides")
    return tuple(s // itemsize for s in byte_strides)
