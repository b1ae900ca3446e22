import itertools
import operator


def c_strides(size):
    steps = itertools.accumulate(
        (max(1, n) for n in size[:0:-1]), operator.mul, initial=1
    )
    return tuple(steps)[::-1] if size else ()
