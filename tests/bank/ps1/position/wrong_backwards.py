# draws: hint: this is what you get if the stride is read backwards
# draws: start at storage_offset, and go index[dim] × stride[dim] further in each dim
def position(index, stride, storage_offset):
    at = storage_offset
    for i, s in zip(index, reversed(stride)):
        at += i * s
    return at
