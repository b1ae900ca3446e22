# draws: returned True; expected False.
def walk(tensor, order):
    expected = 1
    for dim in order:
        if tensor.size(dim) != 1 and tensor.stride(dim) != expected:
            return False
        expected *= tensor.size(dim)
    return True


def isContiguous(tensor):
    if tensor.numel() == 0 or walk(tensor, range(tensor.dim() - 1, -1, -1)):
        return True
    return tensor.dim() == 4 and walk(tensor, (1, 3, 2, 0))
