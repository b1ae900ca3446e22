def is_dense(size, stride):
    if 0 in size:
        return True
    pairs = sorted((s, n) for s, n in zip(stride, size) if n > 1)
    expected = 1
    for s, n in pairs:
        if s != expected:
            return False
        expected *= n
    return True
