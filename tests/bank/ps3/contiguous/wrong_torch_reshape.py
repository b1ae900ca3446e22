# draws: calls torch.reshape in line 2 of its source
import torch


def contiguous(tensor):
    return tensor if tensor.is_contiguous() else torch.reshape(tensor, (-1,)).view(tensor.size())
