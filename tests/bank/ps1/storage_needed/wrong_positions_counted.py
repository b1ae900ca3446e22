# draws: storage_needed(size=(2,), stride=(2,), storage_offset=0) returned 2; expected 3
# draws: gaps are storage too
from itertools import product


def storage_needed(size, stride, storage_offset):
    reached = set()
    for index in product(*(range(n) for n in size)):
        reached.add(storage_offset + sum(i * s for i, s in zip(index, stride)))
    return len(reached)
