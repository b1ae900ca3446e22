# draws: position(index=(1, 1), stride=(1, 5), storage_offset=2) returned 6; expected 8
# draws: hint: this is what you get if storage_offset is forgotten
def position(index, stride, storage_offset):
    return sum(i * s for i, s in zip(index, stride))
