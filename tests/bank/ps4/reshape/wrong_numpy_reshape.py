# draws: called numpy.ndarray.reshape
import torch


def reshape(tensor, new_size):
    return torch.from_numpy(tensor.numpy().reshape(new_size))
