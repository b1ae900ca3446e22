# draws: calls torch.broadcast_shapes in line 3 of its source. This exercise is plain Python
import torch


def broadcast_sizes(*sizes):
    try:
        return tuple(torch.broadcast_shapes(*sizes))
    except RuntimeError as error:
        raise ValueError from error
