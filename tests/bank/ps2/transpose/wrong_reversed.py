# draws: if all dims are turned round
def transpose(size, stride, dim0, dim1):
    if max(dim0, dim1) >= len(size) or min(dim0, dim1) < -len(size):
        raise IndexError
    return tuple(reversed(size)), tuple(reversed(stride))
