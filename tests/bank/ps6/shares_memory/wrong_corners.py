# draws: expected True
# draws: is in both


def shares_memory(a, b):
    if not a.numel() or not b.numel():
        return False

    def S(x):
        found = [x.data_ptr()]
        for n, s in zip(x.size(), x.stride()):
            found = [
                p + i * s * x.element_size()
                for p in found
                for i in (0, 1, n - 2, n - 1)
                if 0 <= i < n
            ]
        return {p + k for p in found for k in range(x.element_size())}

    return not S(a).isdisjoint(S(b))
