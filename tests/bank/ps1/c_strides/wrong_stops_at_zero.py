# draws: returned (1, 1, 1); expected (3, 1, 1)
# draws: hint: this is what you get if a product of 0 counts as 1
def c_strides(size):
    stride, step = [], 1
    for n in reversed(size):
        stride.insert(0, step)
        if n == 0:
            break
        step *= n
    while len(stride) < len(size):
        stride.insert(0, step)
    return tuple(stride)
