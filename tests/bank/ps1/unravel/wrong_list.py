# draws: a list. Return a tuple of ints: tuple(...) makes one
def unravel(flat, size):
    index = []
    for n in reversed(size):
        flat, i = divmod(flat, n)
        index = [i] + index
    return index
