# draws: hint: this is what you get from np.ascontiguousarray or contiguous(): they copy only if they have to
import torch


def load_image(image):
    return torch.from_numpy(image).permute(2, 0, 1).contiguous()
