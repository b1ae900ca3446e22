from itertools import product


def has_overlap(size, stride):
    seen = set()
    for index in product(*(range(n) for n in size)):
        position = 0
        for i, s in zip(index, stride):
            position += i * s
        if position in seen:
            return True
        seen.add(position)
    return False
