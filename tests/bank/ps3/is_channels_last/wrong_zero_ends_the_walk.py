# draws: returned True; expected False.
# draws: hint: this is what you get if tensors without elements are exempt.
def is_channels_last(size, stride):
    if len(size) != 4:
        return False
    expected = 1
    for dim in (1, 3, 2, 0):
        if size[dim] == 0:
            # Nothing lies behind a dim without elements.
            return True
        if size[dim] != 1 and stride[dim] != expected:
            return False
        expected *= size[dim]
    return True
