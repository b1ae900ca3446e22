# draws: calls itself without end
def c_strides(size):
    rest = c_strides(size[1:])
    return (rest[0] * max(size[1], 1), *rest)
