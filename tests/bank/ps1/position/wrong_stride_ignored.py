# draws: hint: this is what you get if the index is added as it is
def position(index, stride, storage_offset):
    return storage_offset + sum(index)
