# draws: returned 67; expected 68
def position(index, stride, storage_offset):
    return storage_offset + sum(index[int(d)] * s for d, s in zip("0123456789", stride))
