# draws: expected (False, False): wrong in c_contiguous
# draws: both walks begin by expecting
def numpy_flags(shape, byte_strides, itemsize):
    if 0 in shape:
        return True, True

    def walk(dims):
        e = itemsize
        for n, s in dims[:6]:
            if n != 1 and s != e:
                return False
            e *= n
        return True

    d = list(zip(shape, byte_strides))
    return walk(d[::-1]), walk(d)
