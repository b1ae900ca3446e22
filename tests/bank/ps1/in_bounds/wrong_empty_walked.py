# draws: returned False; expected True
# draws: hint: this is what you get if a tensor without elements is asked where its elements lie
def in_bounds(size, stride, storage_offset, storage_length):
    low = high = storage_offset
    for n, s in zip(size, stride):
        far = (n - 1) * s
        if far < 0:
            low += far
        else:
            high += far
    return low >= 0 and high < storage_length
