# draws: hint: this is what you get if dims of size 1 are not skipped.
# draws: rule: walk the dims from the last to the first and skip dim 0, of size 1: the stride 1 is as expected.
def isContiguous(tensor):
    if tensor.numel() == 0:
        return True
    expected = 1
    for dim in reversed(range(tensor.dim())):
        if tensor.stride(dim) != expected:
            return False
        expected *= tensor.size(dim)
    return True
