import torch


def load_image(image):
    height, width, channels = image.shape
    result = torch.empty((channels, height, width), dtype=torch.uint8)
    for row in range(height):
        for column in range(width):
            for channel in range(channels):
                result[channel, row, column] = int(image[row, column, channel])
    return result
