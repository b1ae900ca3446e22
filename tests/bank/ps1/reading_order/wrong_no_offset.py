# draws: hint: this is what you get if storage_offset is forgotten
from itertools import product


def reading_order(size, stride, storage_offset):
    indices = product(*(range(n) for n in size))
    return [sum(i * s for i, s in zip(index, stride)) for index in indices]
