# draws: hint: every value is right, and it is copied more than once
import torch


def load_image(image):
    return torch.tensor(image.transpose(2, 0, 1).copy())
