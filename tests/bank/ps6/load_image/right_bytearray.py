import torch


def load_image(image):
    h, w, c = image.shape
    memory = bytearray(c * h * w)
    at = 0
    for k in range(c):
        for y in range(h):
            for x in range(w):
                memory[at] = image.item(y, x, k)
                at += 1
    return torch.frombuffer(memory, dtype=torch.uint8).reshape(c, h, w)
