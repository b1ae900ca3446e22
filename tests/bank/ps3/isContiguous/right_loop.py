def isContiguous(tensor):
    if tensor.numel() == 0:
        return True
    expected = 1
    for dim in reversed(range(tensor.dim())):
        if tensor.size(dim) == 1:
            continue
        if tensor.stride(dim) != expected:
            return False
        expected *= tensor.size(dim)
    return True
