# %% isContiguous
def isContiguous(tensor):
    expected = 1
    for dim in reversed(range(tensor.dim())):
        if tensor.stride(dim) != expected:
            return False
        expected *= tensor.size(dim)
    return True


# %% contiguous
def contiguous(tensor):
    result = torch.empty(tensor.size(), dtype=tensor.dtype)
    return result.copy_(tensor)
