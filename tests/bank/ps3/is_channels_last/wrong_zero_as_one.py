# draws: hint: this is what you get if a size of 0 is multiplied as 1.
def is_channels_last(size, stride):
    if len(size) != 4:
        return False
    expected = 1
    for dim in (1, 3, 2, 0):
        if size[dim] != 1 and stride[dim] != expected:
            return False
        expected *= max(size[dim], 1)
    return True
