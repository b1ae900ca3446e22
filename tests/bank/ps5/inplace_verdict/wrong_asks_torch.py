# draws: This exercise is plain Python on numbers
import torch


def inplace_verdict(size, stride):
    end = sum((n - 1) * s for n, s in zip(size, stride)) + 1 if 0 not in size else 0
    view = torch.zeros(end).as_strided(size, stride)
    try:
        view.add_(1)
    except RuntimeError:
        return "refused"
    return "silent" if view.numel() and view.max() > 1 else "safe"
