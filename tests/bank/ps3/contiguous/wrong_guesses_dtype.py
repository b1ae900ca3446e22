# draws: returned dtype int64; expected uint8.
# draws: hint: this is what you get if torch guesses the dtype from Python's numbers.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.tensor(tensor.tolist())
