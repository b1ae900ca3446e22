# draws: infer_size calls torch.empty
# draws: plain Python on numbers
import torch


def infer_size(numel, size):
    try:
        return tuple(torch.empty(numel).view(size).shape)
    except RuntimeError as error:
        raise ValueError(str(error)) from None
