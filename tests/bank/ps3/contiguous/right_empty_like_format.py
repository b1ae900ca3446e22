import torch


def contiguous(tensor):
    if not tensor.is_contiguous():
        old = tensor
        tensor = torch.empty_like(old, memory_format=torch.contiguous_format)
        tensor[...] = old
    return tensor
