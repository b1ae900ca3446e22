# draws: returned False; expected True.
def isContiguous(tensor):
    if tensor.numel() == 0:
        return True
    expected = 1
    for n, step in zip(reversed(tensor.shape), reversed(tensor.stride())):
        if n != 1 and step is not expected:
            return False
        expected *= n
    return True
