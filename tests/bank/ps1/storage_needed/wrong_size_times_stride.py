# draws: hint: this is what you get if size × stride is added in each dim
def storage_needed(size, stride, storage_offset):
    needed = storage_offset + 1
    for n, s in zip(size, stride):
        if n == 0:
            return 0
        needed += n * s
    return needed
