# draws: hint: this is what you get from np.ascontiguousarray or contiguous()
# draws: expected a copy on new memory
import numpy as np
import torch


def load_image(image):
    return torch.from_numpy(np.ascontiguousarray(image.transpose(2, 0, 1)))
