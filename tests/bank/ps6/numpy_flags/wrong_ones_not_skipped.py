# draws: hint: this is what you get if dims of size 1 are not skipped
def numpy_flags(shape, byte_strides, itemsize):
    if 0 in shape:
        return True, True

    def strides_of(sizes):
        steps = [itemsize]
        for n in sizes[:-1]:
            steps.append(steps[-1] * n)
        return steps[: len(sizes)]

    given = list(byte_strides)
    return given == strides_of(shape[::-1])[::-1], given == strides_of(shape)
