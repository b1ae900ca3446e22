# draws: returned False; expected True.
# draws: hint: this is what you get if the dims are sorted by their sizes.
def is_dense(size, stride):
    if 0 in size:
        return True
    expected = 1
    for n, step in sorted(zip(size, stride)):
        if n == 1:
            continue
        if step != expected:
            return False
        expected *= n
    return True
