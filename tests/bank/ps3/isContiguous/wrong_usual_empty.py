# draws: hint: this is what you get if tensors without elements are walked.
# draws: rule: a size of 0 means that there are no elements.
def isContiguous(tensor):
    expected = 1
    for dim in reversed(range(tensor.dim())):
        if tensor.size(dim) == 1:
            continue
        if tensor.stride(dim) != expected:
            return False
        expected *= tensor.size(dim)
    return True
