def has_overlap(size, stride):
    # Two indices meet when the dims' differences cancel out and not all are 0.
    if any(n == 0 for n in size):
        return False

    def cancel(rest, total, moved):
        if not rest:
            return moved and total == 0
        (n, s), *others = rest
        return any(cancel(others, total + d * s, moved or d != 0) for d in range(1 - n, n))

    return bool(cancel(list(zip(size, stride)), 0, False))
