# draws: This exercise is plain Python on numbers
import numpy as np
import torch


def element_strides(byte_strides, itemsize):
    base = np.zeros(100_000, dtype=np.uint8)
    dtype = {1: np.uint8, 2: np.int16, 4: np.int32, 8: np.int64, 16: np.complex128}[itemsize]
    array = np.ndarray((1,) * len(byte_strides), dtype, base, strides=byte_strides)
    return torch.from_numpy(array).stride()
