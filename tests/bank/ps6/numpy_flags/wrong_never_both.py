# draws: returned (True, False); expected (True, True): wrong in f_contiguous.
# draws: hint: this is what you get if an array never has both flags
def numpy_flags(shape, byte_strides, itemsize):
    def packed(dims):
        if 0 in shape:
            return True
        expected = itemsize
        for d in dims:
            if shape[d] == 1:
                continue
            if byte_strides[d] != expected:
                return False
            expected *= shape[d]
        return True

    c = packed(range(len(shape))[::-1])
    f = packed(range(len(shape)))
    return c, False if c else f
