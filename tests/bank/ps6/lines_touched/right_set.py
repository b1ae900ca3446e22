from itertools import product


def lines_touched(size, stride, storage_offset, itemsize, line):
    touched = set()
    for index in product(*[range(n) for n in size]):
        position = storage_offset
        for i, s in zip(index, stride):
            position += i * s
        touched.add(position * itemsize // line)
    return len(touched)
