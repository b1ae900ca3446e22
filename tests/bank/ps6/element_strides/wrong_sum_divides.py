# draws: expected a ValueError
# draws: is no multiple of
def element_strides(byte_strides, itemsize):
    if any(s < 0 for s in byte_strides) or sum(byte_strides) % itemsize:
        raise ValueError("no whole elements")
    return tuple(s // itemsize for s in byte_strides)
