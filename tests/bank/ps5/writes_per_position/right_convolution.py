def writes_per_position(size, stride, storage_offset, storage_length):
    if 0 in size:
        return [0] * storage_length
    counts = [int(p == storage_offset) for p in range(storage_length)]
    for n, step in zip(size, stride):
        counts = [
            sum(counts[p - i * step] for i in range(n) if p - i * step >= 0)
            for p in range(storage_length)
        ]
    return counts
