from functools import reduce


class Image:
    def __init__(self, size, stride):
        (_, self.c, self.h, self.w), (*_,) = pairs = list(zip(size, stride)), stride
        self.pairs = pairs[0]

    def permute(self):
        n, c, h, w = self.pairs
        return c, w, h, n


def is_channels_last(size, stride):
    try:
        np = Image(size, stride).permute()
    except ValueError:
        return False

    def check(expected, pair):
        n, step = pair
        if expected is None or n not in (1,) and step != expected:
            return None
        return expected * n

    return reduce(check, np, 1) is not None
