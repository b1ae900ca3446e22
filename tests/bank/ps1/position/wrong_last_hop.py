# draws: hint: this is what you get if each dim begins at storage_offset again
def position(index, stride, storage_offset):
    at = storage_offset
    for d in range(len(index)):
        at = storage_offset + index[d] * stride[d]
    return at
