from math import prod


def bytes_saved(size, stride, itemsize):
    reached = {0}
    for n, step in zip(size, stride):
        reached = {p + k for p in reached for k in range(0, n * step, step)} if step else (
            reached if n else set()
        )
    return itemsize * (prod(size) - len(reached))
