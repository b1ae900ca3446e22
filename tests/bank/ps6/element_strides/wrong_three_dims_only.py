# draws: expected a ValueError, because byte stride
def element_strides(byte_strides, itemsize):
    for s in byte_strides[:3]:
        if s < 0 or s % itemsize:
            raise ValueError("bad stride")
    return tuple(s // itemsize for s in byte_strides)
