# draws: a float. Return an int
import math


def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError("step")
    start, stop, step = slice(start, stop, step).indices(size[dim])
    sizes, strides = list(size), list(stride)
    sizes[dim] = max(0.0, math.ceil((stop - start) / step) * 1.0)
    strides[dim] *= step
    return tuple(sizes), tuple(strides), storage_offset + start * stride[dim]
