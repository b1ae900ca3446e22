# draws: expected a ValueError
# draws: is no multiple of
import math


def element_strides(byte_strides, itemsize):
    if any(s < 0 or math.fmod(s, itemsize) for s in byte_strides):
        raise ValueError
    return tuple(s // itemsize for s in byte_strides)
