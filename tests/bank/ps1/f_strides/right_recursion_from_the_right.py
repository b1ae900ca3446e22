def f_strides(size):
    *rest, last = size or [None]
    if last is None:
        return ()
    before = f_strides(tuple(rest))
    if not rest:
        return (1,)
    return before + (before[-1] * (rest[-1] or 1),)
