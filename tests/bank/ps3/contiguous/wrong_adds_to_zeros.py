# draws: returned 0.0 at index (1, 0); expected -0.0.
# draws: hint: this is what you get if something is computed with the elements, such as + 0.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    new = torch.zeros(tensor.size(), dtype=tensor.dtype)
    new += tensor
    return new
