# draws: expected 6
# draws: torch has no negative strides, so NumPy has to do the copying
import torch


def load_image(image):
    p = image.transpose(2, 0, 1)
    f = p[tuple(slice(None, None, -1 if s < 0 else 1) for s in p.strides)]
    return torch.from_numpy(f.copy())
