# draws: hint: this is what you get if tensors without elements are walked.
def is_f_contiguous(size, stride):
    expected = 1
    for n, s in zip(size, stride):
        if n != 1:
            if s != expected:
                return False
            expected *= n
    return True
