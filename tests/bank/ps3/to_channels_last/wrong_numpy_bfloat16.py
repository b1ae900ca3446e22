# draws: raised TypeError: Got unsupported ScalarType BFloat16
import numpy as np
import torch


def to_channels_last(tensor):
    pixels = np.array(tensor.numpy().transpose(0, 2, 3, 1), order="C")
    return torch.from_numpy(pixels).permute(0, 3, 1, 2)
