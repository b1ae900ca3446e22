# draws: returned dtype float32; expected int64
import torch


def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        out = torch.empty(new_size)
        out.view(tensor.shape).copy_(tensor)
        return out
