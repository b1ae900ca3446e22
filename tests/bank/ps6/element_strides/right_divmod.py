class StrideError(ValueError):
    pass


def _one(step, itemsize):
    count, rest = divmod(step, itemsize)
    if rest != 0 or count < 0:
        raise StrideError(step)
    return count


def element_strides(byte_strides, itemsize):
    return tuple(_one(step, itemsize) for step in byte_strides)
