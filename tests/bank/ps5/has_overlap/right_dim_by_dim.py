def has_overlap(size, stride):
    at = [0]
    for n, s in zip(size, stride):
        at = [p + i * s for p in at for i in range(n)]
    return sorted(set(at)) != sorted(at)
