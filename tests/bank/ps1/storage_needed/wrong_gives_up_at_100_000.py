# draws: returned None. Return an int. Is a `return` missing? Expected here: 165536
def storage_needed(size, stride, storage_offset):
    for length in range(100_000):
        if 0 in size or storage_offset + sum((n - 1) * s for n, s in zip(size, stride)) < length:
            return length
