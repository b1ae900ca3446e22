# draws: reading_order calls torch.arange
import torch


def reading_order(size, stride, storage_offset):
    positions = torch.arange(10000)
    return positions.as_strided(size, stride, storage_offset).flatten().tolist()
