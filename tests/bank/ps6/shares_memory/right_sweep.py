def starts(x, dims=None):
    dims = list(zip(x.size(), x.stride())) if dims is None else dims
    found = [x.data_ptr()]
    for n, s in dims:
        found = [p + i * s * x.element_size() for p in found for i in range(n)]
    return found


def spans(x):
    return {p + k for p in starts(x) for k in range(x.element_size())}


def shares_memory(a, b):
    events = sorted(
        {(p, p + a.element_size(), 0) for p in starts(a)}
        | {(p, p + b.element_size(), 1) for p in starts(b)}
    )
    reach = [0, 0]
    for low, high, side in events:
        if reach[1 - side] > low:
            return True
        reach[side] = max(reach[side], high)
    return False
