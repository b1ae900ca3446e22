# draws: returned 5; expected 8
def position(index, stride, storage_offset):
    steps = dict(zip(stride, index))
    return storage_offset + sum(s * i for s, i in steps.items())
