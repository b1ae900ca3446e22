# draws: returned False; expected True.
def isContiguous(tensor):
    if tensor.numel() == 0:
        return True
    expected = 1
    for n, step in zip(reversed(tensor.shape), reversed(tensor.stride())):
        if n == 1:
            # Any stride will do, so go on from this one.
            expected = step
        elif step != expected:
            return False
        else:
            expected *= n
    return True
