import torch
from itertools import product


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    result = torch.zeros(*tensor.shape, dtype=tensor.dtype)
    for index in product(*map(range, tensor.shape)):
        result[index] = tensor[index]
    return result
