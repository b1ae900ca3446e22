from itertools import product


def has_overlap(size, stride):
    indices = list(product(*map(range, size)))
    positions = [sum(i * s for i, s in zip(index, stride)) for index in indices]
    for one, position in enumerate(positions):
        for other, same in enumerate(positions):
            if one != other and position == same:
                return True
    return False
