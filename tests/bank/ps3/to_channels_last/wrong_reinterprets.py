# draws: hint: this is what you get if the elements are given the size (N, H, W, C) in the old
def to_channels_last(tensor):
    n, c, h, w = tensor.size()
    return tensor.reshape(n, h, w, c).permute(0, 3, 1, 2)
