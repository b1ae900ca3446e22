# draws: hint: this is what you get if the walk expects 1
# draws: both walks begin by expecting 2, the itemsize
def numpy_flags(shape, byte_strides, itemsize):
    def packed(dims):
        expected = 1
        for n, s in dims:
            if n == 0:
                return True
            if n != 1 and s != expected:
                return 0 in shape
            expected *= n
        return True

    dims = list(zip(shape, byte_strides))
    return packed(dims[::-1]), packed(dims)
