# draws: storage_needed calls numpy.sum
import numpy as np


def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return 0
    return int(np.sum([(n - 1) * s for n, s in zip(size, stride)])) + storage_offset + 1
