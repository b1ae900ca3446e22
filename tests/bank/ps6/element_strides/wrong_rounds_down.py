# draws: hint: this is what you get from floor division
# draws: is no multiple of 2
def element_strides(byte_strides, itemsize):
    if byte_strides and min(byte_strides) < 0:
        raise ValueError("negative strides")
    return tuple(s // itemsize for s in byte_strides)
