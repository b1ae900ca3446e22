from typing import NamedTuple


class Dim(NamedTuple):
    size: int
    stride: int

    def contiguous(self, expected):
        return self.size == 1 or self.stride == expected


class Walk:
    def __init__(self, tensor):
        self.dims = [Dim(*pair) for pair in zip(tensor.size(), tensor.stride())]

    def flatten(self):
        return reversed(self.dims)

    def is_contiguous(self):
        expected = 1
        for dim in self.flatten():
            if not dim.contiguous(expected):
                return False
            expected *= dim.size
        return True


def isContiguous(tensor):
    return 0 in tensor.shape or Walk(tensor).is_contiguous()
