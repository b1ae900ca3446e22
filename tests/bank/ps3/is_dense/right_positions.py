from itertools import product


def is_dense(size, stride):
    positions = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    return sorted(positions) == list(range(len(positions)))
