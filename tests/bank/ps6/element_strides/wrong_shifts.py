# draws: element_strides((
# draws: expected
def element_strides(byte_strides, itemsize):
    if any(s < 0 or s & (itemsize - 1) for s in byte_strides):
        raise ValueError("negative, or no whole elements")
    return tuple(s >> (itemsize.bit_length() - 1) for s in byte_strides)
