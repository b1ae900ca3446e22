# draws: returned (1, 1); expected (1, 2)
def unravel(flat, size):
    index = []
    for n in reversed(size):
        bits = (n - 1).bit_length()
        index.insert(0, flat & (1 << bits) - 1)
        flat >>= bits
    return tuple(index)
