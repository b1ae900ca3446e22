# draws: hint: this is what you get if every view gets row-major strides
def view_stride(size, stride, new_size):
    result = []
    step = 1
    for n in reversed(new_size):
        result.append(step)
        step *= max(n, 1)
    return tuple(reversed(result))
