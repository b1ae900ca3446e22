# draws: hint: this is what you get if the sign of a stride is dropped
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    reach = sum((n - 1) * abs(s) for n, s in zip(size, stride))
    return storage_offset + reach < storage_length
