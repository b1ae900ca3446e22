# draws: hint: this is what you get if each shared position saves one element. Three elements at one position save two.
# draws: returned 2; expected 4.
from collections import Counter
from itertools import product


def bytes_saved(size, stride, itemsize):
    reached = Counter(
        sum(i * step for i, step in zip(index, stride)) for index in product(*map(range, size))
    )
    return itemsize * sum(1 for times in reached.values() if times > 1)
