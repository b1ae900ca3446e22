def _mask(x, start):
    """One bit per byte of memory, from an address on."""
    mask = 0

    def mark(dim, place):
        nonlocal mask
        if dim == x.dim():
            mask |= ((1 << x.element_size()) - 1) << place
            return
        for _ in range(x.size(dim)):
            mark(dim + 1, place)
            place += x.stride(dim) * x.element_size()

    mark(0, x.data_ptr() - start)
    return mask


def shares_memory(a, b):
    if not (a.numel() and b.numel()):
        return False
    start = min(a.data_ptr(), b.data_ptr())
    # Two memories may be so far apart that no mask reaches from the one to the other.
    if abs(a.data_ptr() - b.data_ptr()) > 1_000_000:
        return False
    return bool(_mask(a, start) & _mask(b, start))
