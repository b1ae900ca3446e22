# draws: position(index=(), stride=(), storage_offset=1) raised
# draws: the one element lies at storage_offset, 1
def position(index, stride, storage_offset):
    if len(index) == 1:
        return storage_offset + index[0] * stride[0]
    row, column, *more = index
    at = storage_offset + row * stride[0] + column * stride[1]
    for i, s in zip(more, stride[2:]):
        at += i * s
    return at
