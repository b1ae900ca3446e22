# draws: list a position for each index, in row-major order of the indices, the last dim fastest
def reading_order(size, stride, storage_offset):
    k = 6 - len(size)
    if k < 0:
        size, stride, k = size[-6:], stride[-6:], 0
    a, b, c, d, e, f = (1,) * k + size
    p, q, r, s, t, u = (0,) * k + stride
    return [
        storage_offset + i * p + j * q + l * r + m * s + n * t + o * u
        for i in range(a)
        for j in range(b)
        for l in range(c)
        for m in range(d)
        for n in range(e)
        for o in range(f)
    ]
