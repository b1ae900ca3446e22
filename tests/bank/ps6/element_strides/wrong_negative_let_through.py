# draws: hint: this is what you get if negative strides are let through
# draws: torch has no negative strides, so from_numpy refuses
def element_strides(byte_strides, itemsize):
    for s in byte_strides:
        if s % itemsize != 0:
            raise ValueError("no whole elements")
    return tuple(s // itemsize for s in byte_strides)
