# draws: returned ((3, 3), (2, 2)); expected ((3, 2), (2, 7))
def transpose(size, stride, dim0, dim1):
    n = len(size)
    o = list(range(n))
    o[dim0], o[dim1]

    def f(k):
        return dim1 % n if k == dim0 else dim0 % n if k == dim1 else k

    return tuple(size[f(k)] for k in range(n)), tuple(stride[f(k)] for k in range(n))
