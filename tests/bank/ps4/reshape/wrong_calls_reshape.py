# draws: reshape calls Tensor.reshape
# draws: that call chooses
import torch


def reshape(tensor, new_size):
    return torch.Tensor.reshape(tensor, new_size)
