from math import prod


def has_overlap(size, stride):
    storage = 1
    for n, step in zip(size, stride):
        rows = [storage << i * step for i in range(n)]
        storage = 0
        for row in rows:
            storage |= row
    return f"{storage:b}".count("1") != prod(size)
