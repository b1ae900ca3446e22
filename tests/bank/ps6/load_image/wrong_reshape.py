# draws: hint: this is what you get if the sizes are changed and no axis is moved
import torch


def load_image(image):
    h, w, c = image.shape
    return torch.from_numpy(image.copy()).view(c, h, w)
