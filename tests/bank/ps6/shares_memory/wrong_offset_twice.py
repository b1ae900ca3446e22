# draws: hint: this is what you get if storage_offset is added to data_ptr()
def shares_memory(a, b):
    def addresses(x):
        found = [x.data_ptr() + x.storage_offset() * x.element_size()]
        for n, s in zip(x.size(), x.stride()):
            found = [p + i * s * x.element_size() for p in found for i in range(n)]
        return {p + k for p in found for k in range(x.element_size())}

    return not addresses(a).isdisjoint(addresses(b))
