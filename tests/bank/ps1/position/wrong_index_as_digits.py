# draws: returned 4; expected 14
def position(index, stride, storage_offset):
    where = storage_offset
    for digit, step in zip("".join(map(str, index)), stride):
        where += int(digit) * step
    return where
