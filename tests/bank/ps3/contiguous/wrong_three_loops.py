# draws: returned 0 at index (0, 0, 0, 0); expected 3.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    new = torch.zeros(tensor.size(), dtype=tensor.dtype)
    if tensor.dim() == 1:
        for i in range(tensor.size(0)):
            new[i] = tensor[i]
    elif tensor.dim() == 2:
        for i in range(tensor.size(0)):
            for j in range(tensor.size(1)):
                new[i, j] = tensor[i, j]
    elif tensor.dim() == 3:
        for i in range(tensor.size(0)):
            for j in range(tensor.size(1)):
                for k in range(tensor.size(2)):
                    new[i, j, k] = tensor[i, j, k]
    return new
