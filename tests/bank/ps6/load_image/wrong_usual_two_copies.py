# draws: hint: every value is right, and it is copied more than once
# draws: expected at most one copy of it, 12,096 bytes
import torch


def load_image(image):
    return torch.from_numpy(image.copy()).permute(2, 0, 1).contiguous()
