# draws: hint: this is what you get if the walk goes from the last dim to the first.
def is_f_contiguous(size, stride):
    if 0 in size:
        return True
    expected = 1
    for dim in range(len(size) - 1, -1, -1):
        if size[dim] == 1:
            continue
        if stride[dim] != expected:
            return False
        expected *= size[dim]
    return True
