from itertools import product
from typing import NamedTuple


class Flags(NamedTuple):
    c_contiguous: bool
    f_contiguous: bool


def numpy_flags(shape, byte_strides, itemsize):
    # Where every element begins, in row-major and in column-major order of the indices.
    def is_a_run(indices):
        starts = [sum(i * s for i, s in zip(index, byte_strides)) for index in indices]
        return all(start == number * itemsize for number, start in enumerate(starts))

    rows = list(product(*map(range, shape)))
    columns = [index[::-1] for index in product(*map(range, shape[::-1]))]
    return Flags(is_a_run(rows), is_a_run(columns))
