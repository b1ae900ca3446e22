# draws: shares_memory has to find out itself
import numpy as np


def shares_memory(a, b):
    return bool(np.shares_memory(a.numpy(), b.numpy()))
