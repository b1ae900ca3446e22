# draws: raised IndexError
# draws: rule: channels_last is for the four dims N, C, H, W, and here is rank 1.
def is_channels_last(size, stride):
    expected = 1
    for dim in (1, 3, 2, 0):
        if size[dim] == 1:
            continue
        if stride[dim] != expected:
            return False
        expected *= size[dim]
    return True
