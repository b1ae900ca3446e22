# draws: hint: this is what you get from np.copy: it keeps the order
# draws: which is not contiguous
import numpy as np
import torch


def load_image(image):
    return torch.from_numpy(np.copy(image.transpose(2, 0, 1)))
