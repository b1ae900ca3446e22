import operator


def position(index, stride, storage_offset):
    return sum(map(operator.mul, index, stride), storage_offset)
