# draws: hint: this is what you get if the larger size wins
# draws: let 1 give way, to 0 too: dim -1 has
from itertools import zip_longest


def broadcast_sizes(*sizes):
    result = []
    for column in zip_longest(*(s[::-1] for s in sizes), fillvalue=1):
        for n in column:
            if n != 1 and n != max(column) and max(column) != 1:
                raise ValueError
        result.append(max(column))
    return tuple(result[::-1])
