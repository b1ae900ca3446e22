class DoesNotFit(ValueError):
    pass


def broadcast_sizes(first, *rest):
    if not rest:
        return first
    second, *others = rest
    if not first or not second:
        return broadcast_sizes(first or second, *others)
    last = {first[-1], second[-1]}
    if len(last) == 2:
        last.discard(1)
    if len(last) == 2:
        raise DoesNotFit(f"{first[-1]} against {second[-1]}")
    both = broadcast_sizes(first[:-1], second[:-1]) + tuple(last)
    return broadcast_sizes(both, *others)
