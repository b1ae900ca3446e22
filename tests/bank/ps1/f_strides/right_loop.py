def f_strides(size):
    stride = []
    step = 1
    for n in size:
        stride.append(step)
        if n > 0:
            step *= n
    return tuple(stride)
