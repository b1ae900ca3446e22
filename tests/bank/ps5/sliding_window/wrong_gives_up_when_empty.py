# draws: returned ((0, 5, 3), (5, 1, 1)); expected ((0, 2, 3), (5, 2, 1)): wrong in size and in stride.
def sliding_window(size, stride, dim, window, step):
    if 0 in size:
        return (*size, window), (*stride, stride[dim])
    sizes, strides = list(size), list(stride)
    sizes[dim] = (size[dim] - window) // step + 1
    strides[dim] *= step
    return (*sizes, window), (*strides, stride[dim])
