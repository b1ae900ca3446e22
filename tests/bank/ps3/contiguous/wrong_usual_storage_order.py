# draws: hint: this is what you get if the elements are copied in storage order.
# draws: The copy holds t's elements in t's reading order
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    out = torch.empty(tensor.size(), dtype=tensor.dtype)
    out.view(-1)[:] = tensor.as_strided((tensor.numel(),), (1,), 0)
    return out
