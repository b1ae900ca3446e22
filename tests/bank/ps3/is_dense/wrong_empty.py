# draws: hint: this is what you get if tensors without elements are walked.
def is_dense(size, stride):
    expected = 1
    for s, n in sorted(zip(stride, size)):
        if n == 1:
            continue
        if s != expected:
            return False
        expected *= n
    return True
