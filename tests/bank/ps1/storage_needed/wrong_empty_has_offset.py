# draws: hint: this is what you get if a tensor without elements still needs its storage_offset
def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return storage_offset
    return storage_offset + sum((n - 1) * s for n, s in zip(size, stride)) + 1
