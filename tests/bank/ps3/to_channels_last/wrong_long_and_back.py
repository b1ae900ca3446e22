# draws: calls double in line 6. to_channels_last has to order the memory itself: that call takes a memory_format, and would do the exercise.
import torch


def to_channels_last(tensor):
    return tensor.double().long(memory_format=torch.channels_last)
