# draws: hint: this is what you get from floor division
def element_strides(byte_strides, itemsize):
    if byte_strides and all(s < 0 or s % itemsize for s in byte_strides):
        raise ValueError("no whole elements")
    return tuple(s // itemsize for s in byte_strides)
