# draws: hint: this is column-major order
def c_strides(size):
    stride = []
    step = 1
    for n in size:
        stride.append(step)
        step *= max(n, 1)
    return tuple(stride)
