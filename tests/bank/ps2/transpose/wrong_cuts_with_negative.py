# draws: if negative dims are compared and cut with as they are
def swap(t, a, b):
    if a > b:
        a, b = b, a
    if a == b:
        return t
    return t[:a] + (t[b],) + t[a + 1 : b] + (t[a],) + t[b + 1 :]


def transpose(size, stride, dim0, dim1):
    return swap(size, dim0, dim1), swap(stride, dim0, dim1)
