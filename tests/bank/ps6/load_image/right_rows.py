import numpy as np
import torch


class Planes:
    def __init__(self, height, width, channels):
        self.memory = bytearray(channels * height * width)
        self.array = np.frombuffer(self.memory, dtype=np.uint8).reshape(channels, height, width)

    def fill(self, image):
        for y, row in enumerate(image):
            self.array[:, y] = row.T

    def tensor(self):
        return torch.frombuffer(self.memory, dtype=torch.uint8).view(self.array.shape)


def load_image(image):
    planes = Planes(*image.shape)
    planes.fill(image)
    return planes.tensor()
