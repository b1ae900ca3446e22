# draws: hint: this is what you get if numel × itemsize / line is rounded down
import math


def lines_touched(size, stride, storage_offset, itemsize, line):
    return math.prod(size) * itemsize // line
