from itertools import product
import torch


def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        pass
    out = torch.empty(new_size, dtype=tensor.dtype)
    for a, b in zip(product(*map(range, tensor.shape)), product(*map(range, new_size))):
        out[b] = tensor[a]
    return out
