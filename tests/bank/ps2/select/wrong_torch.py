# draws: select calls torch.
# draws: plain Python on numbers
import torch


def select(size, stride, storage_offset, dim, index):
    t = torch.empty(10000).as_strided(size, stride, storage_offset)
    t = t.select(dim, index)
    return tuple(t.size()), tuple(t.stride()), t.storage_offset()
