def c_strides(size):
    if len(size) == 0:
        return ()
    if len(size) == 1:
        return (1,)
    rest = c_strides(size[1:])
    below = size[1] if size[1] > 0 else 1
    return (rest[0] * below,) + rest
