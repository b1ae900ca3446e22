# draws: hint: this is what you get if dims of size 1 are not skipped.
def is_dense(size, stride):
    if 0 in size:
        return True
    expected = 1
    for s, n in sorted(zip(stride, size)):
        if s != expected:
            return False
        expected *= n
    return True
