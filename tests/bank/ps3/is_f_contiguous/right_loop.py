def is_f_contiguous(size, stride):
    if 0 in size:
        return True
    expected = 1
    for n, s in zip(size, stride):
        if n == 1:
            continue
        if s != expected:
            return False
        expected = expected * n
    return True
