# draws: hint: this is what you get if all elements count that share a position. One of them needs it.
# draws: returned 4; expected 2.
from collections import Counter
from itertools import product


def bytes_saved(size, stride, itemsize):
    reached = Counter(
        sum(i * step for i, step in zip(index, stride)) for index in product(*map(range, size))
    )
    return itemsize * sum(times for times in reached.values() if times > 1)
