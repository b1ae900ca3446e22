# draws: expected False
# draws: none is in both
from math import gcd


def shares_memory(a, b):
    if not a.numel() or not b.numel():
        return False

    def ends(x):
        last = sum((n - 1) * s for n, s in zip(x.size(), x.stride()))
        return x.data_ptr(), x.data_ptr() + (last + 1) * x.element_size()

    (l, h), (s, e) = ends(a), ends(b)
    if not (l < e and s < h):
        return False
    g = gcd(
        *[st * a.element_size() for n, st in zip(a.size(), a.stride()) if n > 1],
        *[st * b.element_size() for n, st in zip(b.size(), b.stride()) if n > 1],
    )
    if g == 0:
        return True
    d = (s - l) % g
    return d < a.element_size() or g - d < b.element_size()
