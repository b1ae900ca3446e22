from collections import Counter


def positions(size, stride):
    if not size:
        yield 0
        return
    for p in positions(size[1:], stride[1:]):
        for i in range(size[0]):
            yield p + i * stride[0]


def bytes_saved(size, stride, itemsize):
    return itemsize * sum(times - 1 for times in Counter(positions(size, stride)).values())
