def unravel(flat, size):
    index = []
    for n in size[::-1]:
        flat, i = divmod(flat, n)
        index.insert(0, i)
    return tuple(index)
