from dataclasses import dataclass


@dataclass
class Dim:
    number: int
    size: int
    stride: int


def select(size, stride, storage_offset, dim, index):
    dims = [Dim(d, n, s) for d, (n, s) in enumerate(zip(size, stride))]
    wanted = dims[dim]  # a list raises IndexError by itself
    if not (-wanted.size <= index < wanted.size):
        raise IndexError(index)
    rest = [d for d in dims if d.number != wanted.number]
    return (
        tuple(d.size for d in rest),
        tuple(d.stride for d in rest),
        storage_offset + (index % wanted.size) * wanted.stride,
    )
