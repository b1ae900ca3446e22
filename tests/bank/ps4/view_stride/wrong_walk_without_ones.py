# draws: returned None; expected (4, 1).
def view_stride(size, stride, new_size):
    if 0 in size:
        return (1,) * len(new_size)
    if not size:
        return (1,) * len(new_size)
    res = [1] * len(new_size)
    v = len(new_size) - 1
    chunk = 1
    base = stride[-1]
    for d in range(len(size) - 1, -1, -1):
        chunk *= size[d]
        if d == 0 or (size[d - 1] != 1 and stride[d - 1] != chunk * base):
            f = 1
            while v >= 0 and f < chunk:
                res[v] = f * base
                f *= new_size[v]
                v -= 1
            if f != chunk:
                return None
            if d:
                base = stride[d - 1]
                chunk = 1
    return tuple(res) if v == -1 else None
