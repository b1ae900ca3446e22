# draws: returned True; expected False.
def is_channels_last(size, stride):
    if len(size) == 3:
        # A batch of one image.
        size, stride = (1, *size), (0, *stride)
    if len(size) != 4:
        return False
    expected = 1
    for dim in (1, 3, 2, 0):
        if size[dim] != 1 and stride[dim] != expected:
            return False
        expected *= size[dim]
    return True
