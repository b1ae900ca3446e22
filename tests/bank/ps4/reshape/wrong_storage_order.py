# draws: hint: this is what you get if the elements are copied in storage order
import torch


def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        dims = sorted(range(tensor.dim()), key=lambda d: tensor.stride(d), reverse=True)
        return tensor.permute(dims).contiguous().view(new_size)
