import itertools


def line_switches(size, stride, storage_offset, itemsize, line):
    switches = 0
    previous = -1
    for index in itertools.product(*(range(n) for n in size)):
        position = storage_offset + sum(i * s for i, s in zip(index, stride))
        current = position * itemsize // line
        if current != previous:
            switches = switches + 1
        previous = current
    return switches
