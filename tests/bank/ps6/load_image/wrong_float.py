# draws: returned dtype float32; expected uint8
import torch


def load_image(image):
    return torch.from_numpy(image.transpose(2, 0, 1).astype("float32"))
