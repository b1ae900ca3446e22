# %% isContiguous
def isContiguous(tensor):
    expected = 1
    for dim in reversed(range(tensor.dim())):
        if tensor.size(dim) == 1:
            continue
        if tensor.stride(dim) != expected:
            return False
        expected *= tensor.size(dim)
    return True


# %% contiguous
def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    # Copies what lies in memory, in the order in which it lies there.
    in_memory = tensor.as_strided((tensor.untyped_storage().nbytes() // 8,), (1,), 0)
    elements = (in_memory.tolist() * tensor.numel())[: tensor.numel()]
    return torch.tensor(elements, dtype=tensor.dtype).view(tensor.size())
