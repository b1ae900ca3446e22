# draws: returned [], a list. Return a bool. Expected here: True.
def is_dense(size, stride):
    gaps, expected = [], 1
    for s, n in sorted((s, n) for s, n in zip(stride, size) if n != 1):
        if s != expected:
            gaps.append(s)
        expected *= n
    return gaps
