# draws: returned (9007199254740992,); expected a ValueError, because aligned at the right, dim -1 is 9007199254740992 in one size and 90071992547409
def broadcast_sizes(*sizes):
    result = []
    for dim in range(-max(map(len, sizes)), 0):
        here = {float(size[dim]) for size in sizes if -dim <= len(size)} - {1.0}
        if len(here) > 1:
            raise ValueError("no fit")
        result.append(int(here.pop()) if here else 1)
    return tuple(result)
