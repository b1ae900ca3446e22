# draws: position(index=(1,), stride=(1,), storage_offset=2) returned 1; expected 3
# draws: hint: this is what you get if storage_offset is forgotten
def position(index, stride, storage_offset):
    return sum(i * s for i, s in zip(index, stride))
