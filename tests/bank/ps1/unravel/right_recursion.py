def unravel(flat, size):
    if size == ():
        return ()
    return unravel(flat // size[-1], size[:-1]) + (flat % size[-1],)
