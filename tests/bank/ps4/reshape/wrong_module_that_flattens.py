# draws: called Tensor.flatten
import torch


def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        return torch.nn.Flatten(0)(tensor).view(new_size)
