from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    positions = []
    for index in product(*map(range, size)):
        position = storage_offset
        for i, step in zip(index, stride):
            position += i * step
        positions.append(position)
    return [sum(1 for each in positions if each == p) for p in range(storage_length)]
