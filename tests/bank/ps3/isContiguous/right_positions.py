# Lists the position of every element in reading order, and looks whether it counts 0, 1, 2, ...
from itertools import product


def isContiguous(tensor):
    steps = tensor.stride()
    indices = product(*[range(n) for n in tensor.shape])
    for number, index in enumerate(indices):
        if sum(i * s for i, s in zip(index, steps)) != number:
            return False
    return True
