from itertools import product


def follows(indices, stride, number):
    """One call for each element."""
    if number == len(indices):
        return True
    position = sum(i * step for i, step in zip(indices[number], stride))
    return position == number and follows(indices, stride, number + 1)


def isContiguous(tensor):
    indices = list(product(*(range(n) for n in tensor.shape)))
    return follows(indices, tensor.stride(), 0)
