# draws: returned True; expected False.
def is_channels_last(size, stride):
    # An image is what has four dims, and a dim of size 1 is none.
    kept = [dim for dim, n in enumerate(size) if n != 1]
    if len(size) > 4:
        size, stride = [size[dim] for dim in kept], [stride[dim] for dim in kept]
    if len(size) != 4:
        return False
    expected = 1
    for dim in (1, 3, 2, 0):
        if size[dim] != 1 and stride[dim] != expected:
            return False
        expected *= size[dim]
    return True
