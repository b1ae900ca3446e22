import torch


def has_view(tensor, new_size):
    if tensor.numel() == 0:
        return True
    cuts, inner = set(), 1
    right = None
    for d in reversed(range(tensor.dim())):
        if tensor.size(d) == 1:
            continue
        if right is not None and tensor.stride(d) != right:
            cuts.add(inner)
        inner *= tensor.size(d)
        right = tensor.size(d) * tensor.stride(d)
    inner = 1
    for n in reversed(new_size):
        inner *= n
        cuts.discard(inner)
    return not cuts


def reshape(tensor, new_size):
    if has_view(tensor, new_size):
        return tensor.view(*new_size) if new_size else tensor.squeeze()
    copy = torch.empty(new_size, dtype=tensor.dtype)
    copy.view(tensor.size()).copy_(tensor)
    return copy
