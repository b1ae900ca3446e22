from itertools import zip_longest


def broadcast_sizes(*sizes):
    result = []
    for column in zip_longest(*map(reversed, sizes), fillvalue=1):
        wanted = set(column) - {1}
        if len(wanted) > 1:
            raise ValueError(f"{column} do not fit")
        result.append(wanted.pop() if wanted else 1)
    return tuple(reversed(result))
