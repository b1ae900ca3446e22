# draws: returned 0, of type int. Return a bool, True or False: bool(...) makes one. Expected here: False.
def isContiguous(tensor):
    ok = 1
    expected = 1
    for n, s in list(zip(tensor.shape, tensor.stride()))[::-1]:
        if n != 1:
            ok &= s == expected
            expected *= n
    return ok if tensor.numel() else 1
