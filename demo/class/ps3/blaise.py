# %% isContiguous
from math import prod


def isContiguous(tensor):
    kept = [(n, step) for n, step in zip(tensor.shape, tensor.stride()) if n != 1]
    rule = (step == prod(n for n, _ in kept[i + 1 :]) for i, (_, step) in enumerate(kept))
    return 0 in tensor.shape or all(rule)


# %% contiguous
from itertools import product


def contiguous(tensor):
    if isContiguous(tensor):
        return tensor
    result = torch.zeros(*tensor.shape, dtype=tensor.dtype)
    for index in product(*map(range, tensor.shape)):
        result[index] = tensor[index]
    return result
