# draws: hint: this is what you get if only the first byte of each element is compared
def shares_memory(a, b):
    def addresses(x):
        found = [x.data_ptr()]
        for n, s in zip(x.size(), x.stride()):
            found = [p + i * s * x.element_size() for p in found for i in range(n)]
        return set(found)

    return bool(addresses(a) & addresses(b))
