# draws: hint: this is what you get in bytes
# draws: returned (8,); expected (1,)
def c_strides(size):
    itemsize = 8
    stride = []
    for n in reversed(size):
        stride.insert(0, itemsize)
        itemsize *= max(n, 1)
    return tuple(stride)
