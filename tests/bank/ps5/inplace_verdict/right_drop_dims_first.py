def inplace_verdict(size, stride):
    dims = [(s, n) for n, s in zip(size, stride) if n != 1]
    if any(n == 0 for _, n in dims):
        return "safe"
    if dims and min(dims)[0] == 0:
        return "refused"
    return "silent" if meet(dims, [0]) else "safe"


def meet(dims, at):
    if not dims:
        return len(at) > len(set(at))
    (s, n), *rest = dims
    return meet(rest, [p + i * s for p in at for i in range(n)])
