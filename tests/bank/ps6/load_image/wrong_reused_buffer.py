# draws: what it gives depends on other calls
import torch

BUFFERS = {}


def load_image(image):
    size = image.shape[2], *image.shape[:2]
    result = BUFFERS.setdefault(size, torch.empty(size, dtype=torch.uint8))
    result.numpy()[...] = image.transpose(2, 0, 1)
    return result
