# draws: This exercise is plain Python on numbers
import numpy as np


def lines_touched(size, stride, storage_offset, itemsize, line):
    positions = np.full(size, storage_offset)
    for dim, grid in enumerate(np.indices(size)):
        positions += grid * stride[dim]
    return int(np.unique(positions * itemsize // line).size)
