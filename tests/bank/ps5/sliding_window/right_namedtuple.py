from typing import NamedTuple


class Header(NamedTuple):
    size: tuple
    stride: tuple


def windows_that_fit(n, window, step):
    if n < window:
        return 0
    return 1 + windows_that_fit(n - step, window, step)


def sliding_window(size, stride, dim, window, step):
    count = windows_that_fit(size[dim], window, step)
    return Header(
        tuple(count if d == dim else n for d, n in enumerate(size)) + (window,),
        tuple(s * step if d == dim else s for d, s in enumerate(stride)) + (stride[dim],),
    )
