# draws: f_strides calls numpy.cumprod
# draws: This exercise is plain Python on numbers
import numpy as np


def f_strides(size):
    counted = [1] + [max(n, 1) for n in size[:-1]]
    return tuple(np.cumprod(counted))[: len(size)]
