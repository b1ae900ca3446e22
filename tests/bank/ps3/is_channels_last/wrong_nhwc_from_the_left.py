# draws: hint: this is what you get if W comes before C.
def is_channels_last(size, stride):
    if len(size) != 4:
        return False
    expected = 1
    for dim in (0, 2, 3, 1):
        if size[dim] == 1:
            continue
        if stride[dim] != expected:
            return False
        expected *= size[dim]
    return True
