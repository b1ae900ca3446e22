# %% isContiguous
def isContiguous(tensor):
    if tensor.numel() == 0:
        return True
    expected = 1
    for dim in range(tensor.dim() - 1, -1, -1):
        if tensor.size(dim) != 1:
            if tensor.stride(dim) != expected:
                return False
            expected = expected * tensor.size(dim)
    return True


# %% contiguous
def contiguous(tensor):
    if isContiguous(tensor):
        return tensor
    result = torch.empty(tensor.size(), dtype=tensor.dtype)
    result.copy_(tensor)
    return result
