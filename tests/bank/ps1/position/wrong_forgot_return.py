# draws: returned None. Return an int. Is a `return` missing?
def position(index, stride, storage_offset):
    at = storage_offset
    for i, s in zip(index, stride):
        at += i * s
