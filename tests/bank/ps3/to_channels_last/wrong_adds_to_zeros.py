# draws: returned 0.0 at index (0, 0, 0, 1); expected -0.0.
# draws: hint: this is what you get if something is computed with the elements, such as + 0.
import torch


def to_channels_last(tensor):
    new = torch.zeros_like(tensor, memory_format=torch.channels_last)
    return new.add_(tensor)
