import torch


def contiguous(tensor):
    def clone(new, old):
        if old.dim() < 2:
            new.copy_(old)
        for to, check in zip(new, old) if old.dim() > 1 else ():
            clone(to, check)
        return new

    if tensor.is_contiguous():
        return tensor
    return clone(torch.empty_like(tensor, memory_format=torch.contiguous_format), tensor)
