# draws: expected (2,)
# draws: a step of so many bytes, counted in elements of
KNOWN = {}


def element_strides(byte_strides, itemsize):
    if any(s < 0 or s % itemsize for s in byte_strides):
        raise ValueError
    return KNOWN.setdefault(byte_strides, tuple(s // itemsize for s in byte_strides))
