import torch


def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        pass

    def items(x, ix=()):
        if len(ix) == x.dim():
            yield x[ix].item()
            return
        for i in range(x.shape[len(ix)]):
            yield from items(x, ix + (i,))
    return torch.tensor([*items(tensor)], dtype=tensor.dtype).view(new_size)
