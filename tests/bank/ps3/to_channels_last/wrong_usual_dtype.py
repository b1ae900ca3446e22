# draws: returned dtype float32; expected int64.
# draws: hint: this is what you get if the new tensor is made without a dtype: it is float32 then.
import torch


def to_channels_last(tensor):
    return torch.empty(tensor.size(), memory_format=torch.channels_last).copy_(tensor)
