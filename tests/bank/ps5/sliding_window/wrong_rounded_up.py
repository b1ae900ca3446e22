# draws: hint: this is what you get if a last window is counted that does not fit
import math


def sliding_window(size, stride, dim, window, step):
    count = math.ceil((size[dim] - window) / step) + 1
    return (
        size[:dim] + (count,) + size[dim + 1 :] + (window,),
        stride[:dim] + (stride[dim] * step,) + stride[dim + 1 :] + (stride[dim],),
    )
