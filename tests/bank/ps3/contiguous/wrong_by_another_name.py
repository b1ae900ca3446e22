# draws: called Tensor.clone. contiguous has to do its own copying
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    how = "cl" + "one"
    return getattr(tensor, how)(memory_format=torch.contiguous_format)
