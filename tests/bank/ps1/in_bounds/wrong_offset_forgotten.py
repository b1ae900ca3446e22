# draws: hint: this is what you get if storage_offset is forgotten
def in_bounds(size, stride, storage_offset, storage_length):
    low = high = 0
    for n, s in zip(size, stride):
        if n == 0:
            return True
        low += min((n - 1) * s, 0)
        high += max((n - 1) * s, 0)
    return low >= 0 and high < storage_length
