import torch


def to_channels_last(tensor):
    n, c, h, w = tensor.shape
    flat = []
    for i in range(n):
        for y in range(h):
            for x in range(w):
                for channel in range(c):
                    flat.append(tensor[i, channel, y, x].item())
    return torch.tensor(flat, dtype=tensor.dtype).view(n, h, w, c).movedim(-1, 1)
