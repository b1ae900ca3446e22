# draws: hint: this is what you get if positions are compared
def starts(x, dims=None):
    dims = list(zip(x.size(), x.stride())) if dims is None else dims
    found = [x.data_ptr()]
    for n, s in dims:
        found = [p + i * s * x.element_size() for p in found for i in range(n)]
    return found


def spans(x):
    return {p + k for p in starts(x) for k in range(x.element_size())}


def shares_memory(a, b):
    return any(
        abs(p - q) < max(a.element_size(), b.element_size())
        for p in starts(a)
        for q in starts(b)
    )
