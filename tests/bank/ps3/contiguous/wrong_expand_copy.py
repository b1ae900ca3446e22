# draws: calls torch.expand_copy in line 8. contiguous has to do its own copying: that call would do the exercise.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.expand_copy(tensor, tensor.size())
