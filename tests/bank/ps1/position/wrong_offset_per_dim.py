# draws: hint: this is what you get if storage_offset is added once in every dim
def position(index, stride, storage_offset):
    at = 0
    for i, s in zip(index, stride):
        at += storage_offset + i * s
    return at
