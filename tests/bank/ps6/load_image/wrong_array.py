# draws: Return a torch tensor
def load_image(image):
    return image.transpose(2, 0, 1).copy()
