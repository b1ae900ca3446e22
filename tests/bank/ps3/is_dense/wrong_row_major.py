# draws: hint: this is what you get if only row-major order is accepted.
def is_dense(size, stride):
    if 0 in size:
        return True
    expected = 1
    for n, s in zip(size[::-1], stride[::-1]):
        if n != 1:
            if s != expected:
                return False
            expected *= n
    return True
