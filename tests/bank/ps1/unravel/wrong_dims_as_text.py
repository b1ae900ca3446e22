# draws: the last dim counts fastest, and each entry is smaller than its size
def unravel(flat, size):
    index = {}
    for d in reversed(range(len(size))):
        index[str(d)] = flat % size[d]
        flat //= size[d]
    return tuple(index[d] for d in sorted(index))
