# draws: returned another tensor; expected t itself, which is contiguous already.
# draws: hint: this is what you get if a tensor has to begin at the first position of its storage.
import torch


def contiguous(tensor):
    # Contiguous is what fills its storage from the beginning.
    if tensor.is_contiguous() and tensor.storage_offset() == 0:
        return tensor
    return torch.empty(tensor.size(), dtype=tensor.dtype).copy_(tensor)
