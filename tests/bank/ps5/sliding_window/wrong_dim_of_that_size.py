# draws: returned ((2, 5, 3), (6, 3, 3)); expected ((5, 2, 3), (3, 6, 3)): wrong in size and in stride.
def sliding_window(size, stride, dim, window, step):
    n = size[dim]
    count = (n - window) // step + 1
    cut = size.index(n)
    sizes = tuple(count if d == cut else each for d, each in enumerate(size))
    strides = tuple(each * step if d == cut else each for d, each in enumerate(stride))
    return (*sizes, window), (*strides, stride[cut])
