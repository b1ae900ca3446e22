# draws: in_bounds calls torch.empty
import torch


def in_bounds(size, stride, storage_offset, storage_length):
    try:
        torch.empty(storage_length).as_strided(size, stride, storage_offset)
    except RuntimeError:
        return False
    return True
