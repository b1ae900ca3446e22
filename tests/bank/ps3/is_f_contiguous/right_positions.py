from itertools import product


def is_f_contiguous(size, stride):
    turned = product(*(range(n) for n in size[::-1]))
    positions = (sum(i * s for i, s in zip(index, stride[::-1])) for index in turned)
    return all(position == number for number, position in enumerate(positions))
