from itertools import product


def view_stride(size, stride, new_size):
    def value(ix):
        return sum((i * s for i, s in zip(ix, stride)))
    order = [value(ix) for ix in product(*map(range, size))]

    def split(order, new):
        if not new:
            return () if len(order) <= 1 else None
        if not order:
            return (0,) * len(new)
        n, part = (new[0], len(order) // new[0])
        hops = {b - a for a, b in zip(order, order[part:])}
        if len(hops) > 1:
            return None
        rest = split(order[:part], new[1:])
        return None if rest is None else (hops.pop() if hops else 0,) + rest
    return split(order, new_size)
