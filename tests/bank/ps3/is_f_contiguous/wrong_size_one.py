# draws: hint: this is what you get if dims of size 1 are not skipped.
# draws: returned False; expected True.
def is_f_contiguous(size, stride):
    if 0 in size:
        return True
    expected = 1
    for n, s in zip(size, stride):
        if s != expected:
            return False
        expected *= n
    return True
