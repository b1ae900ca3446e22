# draws: hint: this is what you get if H comes before W.
def is_channels_last(size, stride):
    if len(size) != 4:
        return False
    expected = 1
    for dim in (1, 2, 3, 0):
        if size[dim] == 1:
            continue
        if stride[dim] != expected:
            return False
        expected *= size[dim]
    return True
