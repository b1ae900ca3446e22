def is_channels_last(size, stride):
    try:
        n, c, h, w = size
    except ValueError:
        return False
    wanted = (h * w * c, 1, w * c, c)
    return all(m == 1 or s == want for m, s, want in zip(size, stride, wanted))
