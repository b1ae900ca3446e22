import itertools


def bytes_saved(size, stride, itemsize):
    seen = set()
    count = 0
    for index in itertools.product(*map(range, size)):
        count += 1
        seen.add(sum(i * s for i, s in zip(index, stride)))
    return (count - len(seen)) * itemsize
