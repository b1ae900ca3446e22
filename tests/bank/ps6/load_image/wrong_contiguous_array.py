# draws: hint: this is what you get from np.ascontiguousarray before torch copies
import numpy as np
import torch


def load_image(image):
    return torch.tensor(np.ascontiguousarray(image.transpose(2, 0, 1)))
