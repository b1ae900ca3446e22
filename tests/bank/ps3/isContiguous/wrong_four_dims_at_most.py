# draws: returned True; expected False.
def isContiguous(tensor):
    if 0 in tensor.shape:
        return True
    expected = 1
    # N, C, H and W: more dims than that a tensor does not have.
    for dim in (-1, -2, -3, -4)[: tensor.dim()]:
        if tensor.size(dim) != 1 and tensor.stride(dim) != expected:
            return False
        expected *= tensor.size(dim)
    return True
