# draws: expected True
# draws: is in both


def shares_memory(a, b):
    def S(x):
        if not x.numel():
            return set()
        found = [x.data_ptr()]
        for n, s in list(zip(x.size(), x.stride()))[-4:]:
            found = [p + i * s * x.element_size() for p in found for i in range(n)]
        return {p + k for p in found for k in range(x.element_size())}

    return not S(a).isdisjoint(S(b))
