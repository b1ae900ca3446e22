# draws: hint: this is what you get from image.T
# draws: channels, height, width
import torch


def load_image(image):
    return torch.from_numpy(image.T.copy())
