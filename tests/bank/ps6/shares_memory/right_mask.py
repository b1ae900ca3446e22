def _mask(x):
    """One bit per byte of the storage."""
    mask = 0

    def mark(dim, place):
        nonlocal mask
        if dim == x.dim():
            mask |= ((1 << x.element_size()) - 1) << place
            return
        for _ in range(x.size(dim)):
            mark(dim + 1, place)
            place += x.stride(dim) * x.element_size()

    mark(0, x.storage_offset() * x.element_size())
    return mask


def shares_memory(a, b):
    same = a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
    return same and bool(_mask(a) & _mask(b))
