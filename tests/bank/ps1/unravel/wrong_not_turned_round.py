# draws: hint: the entries are right, and in the wrong order
def unravel(flat, size):
    index = ()
    for n in reversed(size):
        index += (flat % n,)
        flat = flat // n
    return index
