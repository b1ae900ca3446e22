from itertools import product, repeat

import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    new = torch.zeros(tensor.size(), dtype=tensor.dtype)
    for index, rows in zip(product(*(range(n) for n in tensor.size())), repeat(new)):
        rows[index] = tensor[index]
    return new
