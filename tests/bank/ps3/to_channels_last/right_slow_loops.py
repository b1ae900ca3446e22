import torch


def to_channels_last(tensor):
    n, c, h, w = tensor.shape
    storage = torch.zeros(n * h * w * c, dtype=tensor.dtype)
    rows = 0
    for image in range(n):
        for y in range(h):
            for x in range(w):
                for channel in range(c):
                    storage[rows] = tensor[image, channel, y, x]
                    rows += 1
    return storage.as_strided(tensor.shape, (h * w * c, 1, w * c, c))
