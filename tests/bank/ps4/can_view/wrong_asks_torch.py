# draws: can_view calls torch.empty_strided
import torch


def can_view(size, stride, new_size):
    try:
        torch.empty_strided(size, stride).view(new_size)
    except RuntimeError:
        return False
    return True
