# draws: hint: this is what you get if only the strides are changed.
def to_channels_last(tensor):
    n, c, h, w = tensor.size()
    return tensor.as_strided((n, c, h, w), (h * w * c, 1, w * c, c))
