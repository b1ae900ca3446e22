from itertools import groupby


def walk(size, stride, start):
    if not size:
        yield start
        return
    for i in range(size[0]):
        yield from walk(size[1:], stride[1:], start + i * stride[0])


def line_switches(size, stride, storage_offset, itemsize, line):
    places = walk(size, stride, storage_offset)
    return len([key for key, _ in groupby(p * itemsize // line for p in places)])
