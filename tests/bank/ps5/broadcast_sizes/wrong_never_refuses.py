# draws: hint: this is what you get if sizes that do not fit are not refused
# draws: returned (3,); expected a ValueError, because aligned at the right, dim -1 is
def broadcast_sizes(*sizes):
    rank = max(len(s) for s in sizes)
    padded = [(1,) * (rank - len(s)) + s for s in sizes]
    return tuple(max(ns) for ns in zip(*padded))
