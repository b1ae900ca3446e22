# draws: raised AssertionError
# draws: expected a ValueError, because byte stride
def element_strides(byte_strides, itemsize):
    for s in byte_strides:
        assert s >= 0 and s % itemsize == 0
    return tuple(s // itemsize for s in byte_strides)
