from functools import reduce
from itertools import product


def lines_touched(size, stride, storage_offset, itemsize, line):
    names = []
    for index in product(*map(range, size)):
        rows = reduce(
            lambda total, pair: total + pair[0] * pair[1], zip(index, stride), storage_offset
        )
        names.append(format(rows * itemsize // line, "x"))
    return len({*names})
