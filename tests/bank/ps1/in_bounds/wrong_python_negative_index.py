# draws: returned True; expected False
# draws: hint: this is what you get if only the highest position is checked
from itertools import product


def in_bounds(size, stride, storage_offset, storage_length):
    storage = [0] * storage_length
    try:
        for index in product(*map(range, size)):
            storage[storage_offset + sum(i * s for i, s in zip(index, stride))]
    except IndexError:
        return False
    return True
