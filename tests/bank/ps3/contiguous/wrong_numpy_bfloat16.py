# draws: raised TypeError: Got unsupported ScalarType BFloat16
import numpy as np
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.from_numpy(np.array(tensor.numpy(), order="C"))
