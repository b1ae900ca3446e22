def transpose(size, stride, dim0, dim1):
    n = len(size)
    if not (-n <= dim0 < n and -n <= dim1 < n):
        raise IndexError
    a, b = sorted((dim0 % n, dim1 % n))

    def contiguous(t, d=0):
        if d == n:
            return ()
        return (t[b if d == a else a if d == b else d], *contiguous(t, d + 1))

    return contiguous(size), contiguous(stride)
