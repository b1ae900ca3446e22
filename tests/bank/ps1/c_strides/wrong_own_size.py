# draws: hint: this is what you get if a dim's own size is multiplied in
def c_strides(size):
    stride = []
    step = 1
    for n in reversed(size):
        step *= max(n, 1)
        stride.append(step)
    return tuple(stride[::-1])
