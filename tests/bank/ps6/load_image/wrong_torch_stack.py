# draws: hint: every value is right, and it is copied more than once on the way
import torch


def load_image(image):
    return torch.stack([torch.from_numpy(image[..., c].copy()) for c in range(image.shape[2])])
