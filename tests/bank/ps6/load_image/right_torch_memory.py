import torch


def load_image(image):
    h, w, c = image.shape
    out = torch.empty((c, h, w), dtype=torch.uint8)
    out.numpy()[...] = image.transpose(2, 0, 1)
    return out
