# draws: resize calls
# draws: plain Python on numbers
import torch


def resize(size, stride, storage_offset, storage_length, new_size):
    tensor = torch.arange(storage_length).as_strided(size, stride, storage_offset)
    tensor.resize_(new_size)
    length = tensor.untyped_storage().nbytes() // 8
    return tuple(tensor.size()), tensor.stride(), tensor.storage_offset(), length
