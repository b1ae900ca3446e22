from itertools import product


def visits(size, stride):
    return [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]


# A stride is the distance to the neighbour: read it off the list of positions, then try it.
def view_stride(size, stride, new_size):
    order = visits(size, stride)
    guess, inner = [], 1
    for n in new_size[::-1]:
        guess.append(order[inner] if n > 1 and order else -7)
        inner *= n
    guess = tuple(guess[::-1])
    return guess if not order or visits(new_size, guess) == order else None
