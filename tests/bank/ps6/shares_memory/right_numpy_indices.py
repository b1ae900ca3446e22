import numpy as np


def places(x):
    grid = np.indices(tuple(x.shape)).reshape(x.dim(), -1) if x.dim() else np.zeros((0, 1), int)
    starts = (
        x.data_ptr() + (np.array(x.stride(), dtype=np.int64) @ grid) * x.element_size()
        if x.dim()
        else np.array([x.data_ptr()])
    )
    return set((starts[:, None] + np.arange(x.element_size())).ravel().tolist())


def shares_memory(a, b):
    return bool(places(a) & places(b))
