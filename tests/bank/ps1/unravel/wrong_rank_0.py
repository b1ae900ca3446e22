# draws: unravel(0, ()) raised IndexError
# draws: without dims there is one element, and its index is ()
def unravel(flat, size):
    if len(size[1:]) == 0:
        return (flat % size[0],)
    last = size[-1]
    return (*unravel(flat // last, size[:-1]), flat % last)
