# %% isContiguous
def isContiguous(tensor):
    return tensor.is_contiguous()


# %% contiguous
def contiguous(tensor):
    return torch.empty_like(tensor).copy_(tensor)
