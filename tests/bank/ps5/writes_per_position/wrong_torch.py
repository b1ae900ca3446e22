# draws: This exercise is plain Python on numbers
import torch


def writes_per_position(size, stride, storage_offset, storage_length):
    storage = torch.zeros(storage_length, dtype=torch.int64)
    view = storage.as_strided(size, stride, storage_offset)
    storage.index_add_(0, view.flatten(), torch.ones(view.numel(), dtype=torch.int64))
    return storage.tolist()
