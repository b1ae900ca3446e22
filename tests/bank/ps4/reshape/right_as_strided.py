from itertools import product

import torch


def places(size, stride):
    return [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]


def reshape(tensor, new_size):
    order = places(tensor.shape, tensor.stride())
    if not order:
        return tensor.new_empty(new_size)
    guess, inner = [], 1
    for n in new_size[::-1]:
        guess.insert(0, order[inner] if n > 1 else 0)
        inner *= n
    if places(new_size, guess) == order:
        return torch.as_strided(tensor, new_size, guess, tensor.storage_offset())
    values = [tensor[index].item() for index in product(*map(range, tensor.shape))]
    return torch.tensor(values, dtype=tensor.dtype).view(new_size)
