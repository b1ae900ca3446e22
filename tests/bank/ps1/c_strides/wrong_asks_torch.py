# draws: c_strides calls torch.empty
# draws: no call of torch, NumPy or stridekit
import torch


def c_strides(size):
    return torch.empty(size).stride()
