# draws: returned (0, 1); expected (1, 0)
def unravel(flat, size):
    index = []
    for n in reversed(size):
        if n > 1:
            index.insert(0, flat % n)
            flat //= n
    return (0,) * (len(size) - len(index)) + tuple(index)
