# draws: returned ((), ()); expected a ValueError, because dim 0 is not named
# draws: if nobody asks whether dims names each dim once
_ok = set()


def permute(size, stride, dims):
    if dims not in _ok:
        o = [range(len(size))[d] for d in dims]
        if sorted(o) != list(range(len(size))):
            raise ValueError
        _ok.add(dims)
    return tuple(size[d] for d in dims), tuple(stride[d] for d in dims)
