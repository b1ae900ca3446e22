# draws: may read only the header
import torch


def isContiguous(tensor):
    return torch.equal(tensor.as_strided((tensor.numel(),), (1,)), tensor.flatten())
