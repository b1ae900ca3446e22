# draws: hint: this is what you get if torch is given an array as it is flipped
import numpy as np
import torch


def load_image(image):
    return torch.tensor(np.ascontiguousarray(image.transpose(2, 0, 1)))
