# draws: position calls numpy.dot
import numpy as np


def position(index, stride, storage_offset):
    return int(np.dot(index, stride)) + storage_offset
