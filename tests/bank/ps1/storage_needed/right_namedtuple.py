from typing import NamedTuple


class Dim(NamedTuple):
    size: int
    stride: int

    def expand(self):
        return self.stride * (self.size - 1)


def storage_needed(size, stride, storage_offset):
    dims = [Dim(*pair) for pair in zip(size, stride)]
    if any(dim.size == 0 for dim in dims):
        return 0
    return storage_offset + 1 + sum(dim.expand() for dim in dims)
