# draws: hint: this is the row-major stride, written backwards
def f_strides(size):
    stride = []
    step = 1
    for n in reversed(size):
        stride.append(step)
        step *= max(n, 1)
    return tuple(stride)
