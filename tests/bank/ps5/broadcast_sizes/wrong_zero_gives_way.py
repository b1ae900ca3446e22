# draws: hint: this is what you get if 0 gives way as 1 does. Only 1 does: 0 and 2 do not fit.
# draws: returned (2,); expected a ValueError, because aligned at the right, dim -1 is 0 in one size and 2 in another.
def broadcast_sizes(*sizes):
    rank = max(len(size) for size in sizes)
    result = []
    for place in zip(*[(1,) * (rank - len(size)) + size for size in sizes]):
        large = {n for n in place if n > 1}
        if len(large) > 1:
            raise ValueError("no fit")
        result.append(large.pop() if large else min(place))
    return tuple(result)
