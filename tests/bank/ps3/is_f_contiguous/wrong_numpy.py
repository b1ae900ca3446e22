# draws: This exercise is plain Python on numbers
import numpy as np


def is_f_contiguous(size, stride):
    kept = [(n, s) for n, s in zip(size, stride) if n != 1]
    wanted = np.cumprod([1] + [n for n, _ in kept])
    return 0 in size or all(s == w for (_, s), w in zip(kept, wanted))
