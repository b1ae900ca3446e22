from math import prod
from typing import NamedTuple


class Step(NamedTuple):
    dim: int
    stride: int
    expected: int
    ok: bool


def steps(size, stride):
    for dim in range(len(size))[::-1]:
        if size[dim] > 1:
            expected = prod(size[dim + 1 :])
            yield Step(dim, stride[dim], expected, expected == stride[dim])


def contiguity_trace(size, stride):
    visited = []
    for step in steps(size, stride):
        visited.append(step)
        if not step.ok:
            break
    return visited
