# draws: hint: this is what you get from np.copy
import numpy as np
import torch


def load_image(image):
    out = np.empty_like(image.transpose(2, 0, 1))
    out[...] = image.transpose(2, 0, 1)
    return torch.from_numpy(out)
