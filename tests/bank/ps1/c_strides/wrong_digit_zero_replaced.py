# draws: returned (11, 1); expected (10, 1)
def c_strides(size):
    sizes = eval(str(size).replace("0", "1"))
    stride, step = [], 1
    for n in reversed(sizes):
        stride.insert(0, step)
        step *= n
    return tuple(stride)
