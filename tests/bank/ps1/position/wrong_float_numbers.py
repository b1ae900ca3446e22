# draws: returned 100000000000000144; expected 100000000000000153
def position(index, stride, storage_offset):
    where = float(storage_offset)
    for i, s in zip(index, stride):
        where += i * s
    return int(where)
