# draws: hint: this is what you get if positions are compared
def shares_memory(a, b):
    def positions(x):
        found = [x.storage_offset()]
        for n, s in zip(x.size(), x.stride()):
            found = [p + i * s for p in found for i in range(n)]
        return set(found)

    same = a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
    return same and not positions(a).isdisjoint(positions(b))
