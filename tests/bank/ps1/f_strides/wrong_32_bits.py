# draws: the stride of a dim is the product of the sizes to its left
def f_strides(size):
    stride, step = [], 1
    for n in size:
        stride.append(step)
        step = step * max(n, 1) & 0xFFFF_FFFF
    return tuple(stride)
