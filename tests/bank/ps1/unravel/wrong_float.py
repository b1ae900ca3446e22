# draws: a float. Return an int: // divides without leaving the ints
def unravel(flat, size):
    index = []
    for n in reversed(size):
        rest = flat % n
        flat = (flat - rest) / n
        index.insert(0, rest)
    return tuple(index)
