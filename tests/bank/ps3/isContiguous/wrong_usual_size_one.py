# draws: hint: this is what you get if dims of size 1 are not skipped.
# draws: rule: nothing steps along a dim of size 1, so here any stride will do, (0,) too.
def isContiguous(tensor):
    if tensor.numel() == 0:
        return True
    expected = 1
    for dim in reversed(range(tensor.dim())):
        if tensor.stride(dim) != expected:
            return False
        expected *= tensor.size(dim)
    return True
