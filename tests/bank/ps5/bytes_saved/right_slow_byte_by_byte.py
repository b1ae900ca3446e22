from itertools import product


def bytes_saved(size, stride, itemsize):
    copied, held = 0, []
    for index in product(*map(range, size)):
        position = sum(i * step for i, step in zip(index, stride))
        copied += itemsize
        if position not in held:
            held.append(position)
    for _ in held:
        for _byte in range(itemsize):
            copied -= 1
    return copied
