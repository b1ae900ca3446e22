# draws: c_strides(()) raised IndexError
# draws: a size without dims has a stride without dims
def c_strides(size):
    if len(size[1:]) == 0 and size[0] >= 0:
        return (1,)
    rest = c_strides(size[1:])
    return (rest[0] * max(size[1], 1), *rest)
