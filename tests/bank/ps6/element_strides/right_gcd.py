import math


def element_strides(byte_strides, itemsize):
    if math.gcd(itemsize, *byte_strides) != itemsize or any(s < 0 for s in byte_strides):
        raise ValueError("not steps of whole elements, forwards")
    return tuple(s // itemsize for s in byte_strides)
