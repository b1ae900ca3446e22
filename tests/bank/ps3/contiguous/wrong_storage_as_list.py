# draws: hint: this is what you get if the elements are copied in storage order.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    # Copies what lies in memory, in the order in which it lies there.
    in_memory = tensor.as_strided((tensor.untyped_storage().nbytes() // 8,), (1,), 0)
    elements = (in_memory.tolist() * tensor.numel())[: tensor.numel()]
    return torch.tensor(elements, dtype=tensor.dtype).view(tensor.size())
