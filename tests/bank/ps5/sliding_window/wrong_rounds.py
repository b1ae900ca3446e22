# draws: hint: this is what you get if a last window is counted that does not fit. Round down.
# draws: returned ((3, 3), (6, 3)); expected ((2, 3), (6, 3)): wrong in size.
def sliding_window(size, stride, dim, window, step):
    sizes, strides = list(size), list(stride)
    sizes[dim] = round((size[dim] - window) / step) + 1
    strides[dim] *= step
    return (*sizes, window), (*strides, stride[dim])
