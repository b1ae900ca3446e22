def bytes_saved(size, stride, itemsize):
    # Bit p is set if position p is reached.
    count, reached = 1, 1
    for n, step in zip(size, stride):
        count *= n
        shifted = 0
        for i in range(n):
            shifted |= reached << i * step
        reached = shifted
    return itemsize * (count - reached.bit_count())
