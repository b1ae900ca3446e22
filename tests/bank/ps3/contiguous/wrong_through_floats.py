# draws: returned -9223372036854775808 at index (0, 1); expected -9223372036854775807.
# draws: hint: this is what you get if the elements pass through floats on their way.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    new = torch.zeros(tensor.size(), dtype=torch.complex128)
    new[...] = tensor
    if not tensor.is_complex():
        new = new.real
    return torch.empty(tensor.size(), dtype=tensor.dtype).copy_(new)
