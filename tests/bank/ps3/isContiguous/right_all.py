from itertools import accumulate
from operator import mul


def isContiguous(tensor):
    if not tensor.numel():
        return True
    # (size, stride) from the right, without the dims that nobody steps along
    kept = [(n, s) for n, s in zip(tensor.shape, tensor.stride()) if n > 1][::-1]
    wanted = accumulate([n for n, _ in kept], mul, initial=1)
    return all(s == w for (_, s), w in zip(kept, wanted))
