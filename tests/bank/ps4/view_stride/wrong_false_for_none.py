# draws: returned False, a bool. Return a tuple of ints, or None
from itertools import product


def visits(size, stride):
    return [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]


def view_stride(size, stride, new_size):
    order = visits(size, stride)
    guess, inner = [], 1
    for n in new_size[::-1]:
        guess.insert(0, order[inner] if n > 1 and order else 1)
        inner *= n
    return visits(new_size, guess) == order and tuple(guess)
