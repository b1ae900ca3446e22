# %% isContiguous
def isContiguous(tensor):
    # The strides must go down.
    return all(a >= b for a, b in zip(tensor.stride(), tensor.stride()[1:]))


# %% contiguous
def contiguous(tensor):
    if tensor.numel() == 0:
        return tensor
    return tensor if tensor.stride(-1) == 1 else tensor.clone()
