# draws: c_strides((2, 0)) returned (0, 1); expected (1, 1)
# draws: hint: this is what you get if a size of 0 is multiplied as 0
# draws: product of the sizes to its right, where a 0 counts as 1: 1 for dim 0
def c_strides(size):
    stride = ()
    step = 1
    for n in size[::-1]:
        stride = (step,) + stride
        step = step * n
    return stride
