# draws: hint: this is what you get from floor division
def element_strides(byte_strides, itemsize):
    return tuple(s // itemsize for s in byte_strides)
