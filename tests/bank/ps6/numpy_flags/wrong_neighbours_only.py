# draws: expected (False, False): wrong in c_contiguous
# draws: both walks begin by expecting
def numpy_flags(shape, byte_strides, itemsize):
    if 0 in shape:
        return True, True

    def walk(dims):
        dims = [x for x in dims if x[0] != 1]
        return all(b[1] == a[1] * a[0] for a, b in zip(dims, dims[1:]))

    d = list(zip(shape, byte_strides))
    return walk(d[::-1]), walk(d)
