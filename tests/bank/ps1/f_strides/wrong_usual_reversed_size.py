# draws: f_strides((2, 3)) returned (2, 1); expected (1, 2)
# draws: hint: this is the row-major stride of the reversed size
def f_strides(size):
    size = size[::-1]
    stride = []
    step = 1
    for n in reversed(size):
        stride.insert(0, step)
        step *= max(n, 1)
    return tuple(stride)
