def element_strides(byte_strides, itemsize):
    result = []
    for s in byte_strides:
        if s < 0:
            raise ValueError("negative stride")
        if s % itemsize:
            raise ValueError("not a multiple of itemsize")
        result.append(s // itemsize)
    return tuple(result)
