# draws: unravel calls numpy.unravel_index
import numpy as np


def unravel(flat, size):
    return tuple(int(i) for i in np.unravel_index(flat, size))
