def in_bounds(size, stride, storage_offset, storage_length):
    # The furthest positions lie at corners: each dim at its first or its last index.
    corners = [storage_offset]
    for n, s in zip(size, stride):
        if n == 0:
            return True
        corners += [c + (n - 1) * s for c in corners]
    return 0 <= min(corners) <= max(corners) < storage_length
