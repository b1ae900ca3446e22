# draws: hint: this is what you get if column-major is taken for the opposite of row-major.
def is_f_contiguous(size, stride):
    if 0 in size:
        return False
    expected = 1
    for n, s in zip(reversed(size), reversed(stride)):
        if n != 1:
            if s != expected:
                return True
            expected *= n
    return False
