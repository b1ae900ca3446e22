def seams(size, stride):
    found = set()
    waiting = None
    for d in reversed(range(len(size))):
        if size[d] != 1:
            # One step of the left dim must lead as far as all of the right dim.
            if waiting is not None and stride[d] != waiting:
                found.add(d)
            waiting = size[d] * stride[d]
    return sorted(found)
