import numpy as np
import torch


def load_image(image):
    out = torch.empty(image.shape[2], *image.shape[:2], dtype=torch.uint8)
    np.copyto(out.numpy(), np.rollaxis(image, 2))
    return out
