# draws: of NumPy's type int64. Return an int: int(...) makes one
import numpy as np


def bytes_saved(size, stride, itemsize):
    at = {0}
    count = np.int64(1)
    for n, s in zip(size, stride):
        at = {p + i * s for p in at for i in range(n)}
        count = count * n
    return (count - len(at)) * itemsize
