# draws: on t's own storage; expected a copy
# draws: rule: no view is possible, so the elements are copied in t's reading order
import torch


def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        stride, step = [], 1
        for n in reversed(new_size):
            stride.insert(0, step)
            step *= n
        return torch.as_strided(tensor, new_size, stride)
