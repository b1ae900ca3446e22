# draws: returned True; expected False.
def is_channels_last(size, stride):
    if len(size) != 4:
        return False
    expected = 1
    # Each image is looked at by itself.
    for dim in (1, 3, 2):
        if size[dim] != 1 and stride[dim] != expected:
            return False
        expected *= size[dim]
    return size[0] == 1 or expected == 0 or stride[0] % expected == 0
