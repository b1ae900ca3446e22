import numpy as np
import torch


def load_image(image):
    planes = np.array(image.transpose(2, 0, 1), order="C", copy=True)
    return torch.from_numpy(planes)
