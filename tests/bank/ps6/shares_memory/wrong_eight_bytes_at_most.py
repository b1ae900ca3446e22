# draws: is in both
def shares_memory(a, b):
    def addresses(x):
        found = [x.data_ptr()]
        for n, s in zip(x.size(), x.stride()):
            found = [p + i * s * x.element_size() for p in found for i in range(n)]
        return {p + k for p in found for k in range(min(8, x.element_size()))}

    return not addresses(a).isdisjoint(addresses(b))
