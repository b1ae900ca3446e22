# draws: of NumPy's type int64
import numpy as np


def diagonal(size, stride, storage_offset, offset):
    row, column = max(-offset, 0), max(offset, 0)
    count = np.int64(max(0, min(size[0] - row, size[1] - column)))
    if count:
        storage_offset += row * stride[0] + column * stride[1]
    return (count,), (stride[0] + stride[1],), storage_offset
