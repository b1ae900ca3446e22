# draws: hint: this is what you get if F is taken for the opposite of C
def numpy_flags(shape, byte_strides, itemsize):
    if 0 in shape:
        return True, False
    expected = itemsize
    for n, s in zip(reversed(shape), reversed(byte_strides)):
        if n != 1 and s != expected:
            return False, True
        expected *= n
    return True, False
