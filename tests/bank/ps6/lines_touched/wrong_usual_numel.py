# draws: hint: this is what you get from numel × itemsize / line
from math import ceil, prod


def lines_touched(size, stride, storage_offset, itemsize, line):
    return ceil(prod(size) * itemsize / line)
