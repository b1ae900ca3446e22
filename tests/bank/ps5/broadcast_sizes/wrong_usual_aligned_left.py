# draws: hint: this is what you get if the sizes are aligned at the left
# draws: returned (2, 1); expected (1, 2)
from itertools import zip_longest


def broadcast_sizes(*sizes):
    result = []
    for column in zip_longest(*sizes, fillvalue=1):
        wanted = set(column) - {1}
        if len(wanted) > 1:
            raise ValueError
        result.append(wanted.pop() if wanted else 1)
    return tuple(result)
