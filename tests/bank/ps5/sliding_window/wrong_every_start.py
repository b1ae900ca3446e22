# draws: hint: this is what you get if each start counts, also of windows that would not fit.
# draws: returned ((3, 3), (6, 3)); expected ((2, 3), (6, 3)): wrong in size.
def sliding_window(size, stride, dim, window, step):
    sizes, strides = list(size), list(stride)
    sizes[dim] = len(range(0, size[dim], step))
    strides[dim] *= step
    return (*sizes, window), (*strides, stride[dim])
