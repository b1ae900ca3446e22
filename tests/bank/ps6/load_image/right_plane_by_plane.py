import numpy as np
import torch


def load_image(image):
    height, width, channels = image.shape
    result = np.zeros((channels, height, width), dtype="uint8")
    for channel in range(channels):
        result[channel] = image[..., channel]
    return torch.from_numpy(result)
