# draws: hint: this is what you get if the windows' stride is not multiplied by step
def sliding_window(size, stride, dim, window, step):
    size = list(size)
    size[dim] = (size[dim] - window + step) // step
    return (*size, window), (*stride, stride[dim])
