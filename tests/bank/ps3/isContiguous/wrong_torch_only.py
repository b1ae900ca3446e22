# draws: a stridekit tensor
# draws: returned None. Return a bool.
import torch


def isContiguous(tensor):
    if isinstance(tensor, torch.Tensor):
        if 0 in tensor.shape:
            return True
        expected = 1
        for n, s in reversed([*zip(tensor.shape, tensor.stride())]):
            if n != 1 and s != expected:
                return False
            expected *= n
        return True
