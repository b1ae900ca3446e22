# draws: hint: this is what you get if torch is given an array as it is flipped
# draws: raised ValueError: At least one stride in the given numpy array is negative
import torch


def load_image(image):
    planes = torch.from_numpy(image).permute(2, 0, 1)
    out = torch.empty(planes.shape, dtype=torch.uint8)
    return out.copy_(planes)
