# draws: hint: this is column-major order, where the first dim counts fastest
def unravel(flat, size):
    index = []
    for n in size:
        index.append(flat % n)
        flat //= n
    return tuple(index)
