import torch


class Box:
    """Methods of one's own may have any name."""

    def __init__(self, tensor):
        self.tensor = tensor

    def flatten(self):
        return self

    def clone(self):
        return torch.empty(self.tensor.shape, dtype=self.tensor.dtype)

    def to(self, new):
        new[...] = self.tensor
        return new

    def contiguous(self):
        return self.tensor if self.tensor.is_contiguous() else self.to(self.clone())


def contiguous(tensor):
    return Box(tensor).flatten().contiguous()
