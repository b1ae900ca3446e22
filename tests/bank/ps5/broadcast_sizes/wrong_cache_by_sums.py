# draws: returned (1, 2); expected (3,).
KNOWN = {}


def broadcast_sizes(*sizes):
    key = tuple(map(sum, sizes))
    if key not in KNOWN:
        result = []
        for dim in range(-max(map(len, sizes)), 0):
            here = {size[dim] for size in sizes if -dim <= len(size)} - {1}
            if len(here) > 1:
                raise ValueError("no fit")
            result.append(here.pop() if here else 1)
        KNOWN[key] = tuple(result)
    return KNOWN[key]
