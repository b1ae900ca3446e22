# draws: hint: this is what you get if dims of size 1 are not skipped.
def is_channels_last(size, stride):
    if len(size) != 4:
        return False
    n, c, h, w = size
    return stride == (h * w * c, 1, w * c, c)
