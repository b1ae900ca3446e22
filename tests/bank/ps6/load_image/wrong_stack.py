# draws: which is not contiguous
# draws: hint: this is what you get from np.stack
import numpy as np
import torch


def load_image(image):
    return torch.from_numpy(np.stack([image[:, :, k] for k in range(image.shape[2])]))
