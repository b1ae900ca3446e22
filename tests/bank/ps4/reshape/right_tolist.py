import torch


def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        return torch.tensor(tensor.tolist(), dtype=tensor.dtype).view(new_size)
