# draws: a list. Return a tuple of ints, or None: tuple(...) makes one
def view_stride(size, stride, new_size):
    if 0 in size:
        return [1] * len(new_size)
    dims = [(n, s) for n, s in zip(size, stride) if n > 1]
    result = []
    n, step = dims.pop() if dims else (1, 1)
    for m in reversed(new_size):
        if n == 1 and m > 1:
            n, step = dims.pop()
        while dims and dims[-1][1] == n * step:
            n *= dims.pop()[0]
        if n % m:
            return None
        result.insert(0, step)
        step *= m
        n //= m
    return result
