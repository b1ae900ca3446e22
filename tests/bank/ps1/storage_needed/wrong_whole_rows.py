# draws: hint: this is what you get if the longest dim is counted as size × stride
def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return 0
    longest = 1 if not size else max(n * s for n, s in zip(size, stride))
    return storage_offset + longest
