# draws: returned False; expected True.
def is_f_contiguous(size, stride):
    expected = 1
    for n, step in zip(size, stride):
        if n != 1 and step is not expected and 0 not in size:
            return False
        expected *= n
    return True
