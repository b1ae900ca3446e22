# draws: returned ((2,), (9007199254740994,), 100000000000000001); expected ((2,), (9007199254740995,), 100000000000000001)
def diagonal(size, stride, storage_offset, offset):
    r, c = max(-offset, 0), max(offset, 0)
    n = max(0, min(size[0] - r, size[1] - c))
    return (
        (n,),
        (int(float(stride[0]) + stride[1]),),
        storage_offset + (r * stride[0] + c * stride[1] if n else 0),
    )
