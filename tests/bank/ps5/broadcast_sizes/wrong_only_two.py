# draws: hint: this is what you get if only the first few sizes are looked at
def broadcast_sizes(*sizes):
    a, b = (*sizes, ())[:2]
    rank = max(len(a), len(b))
    a = (1,) * (rank - len(a)) + a
    b = (1,) * (rank - len(b)) + b
    out = []
    for x, y in zip(a, b):
        if x != y and 1 not in (x, y):
            raise ValueError("no")
        out.append(y if x == 1 else x)
    return tuple(out)
