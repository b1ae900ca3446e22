# draws: expected (False, False): wrong in c_contiguous
# draws: both walks begin by expecting
KNOWN = {}


def numpy_flags(shape, byte_strides, itemsize):
    def walk(dims):
        e = itemsize
        for n, s in dims:
            if n != 1 and s != e:
                return 0 in shape
            e *= n
        return True

    d = list(zip(shape, byte_strides))
    return KNOWN.setdefault((shape, byte_strides), (walk(d[::-1]), walk(d)))
