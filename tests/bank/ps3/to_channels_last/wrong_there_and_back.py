# draws: hint: this is what you get if the dims are permuted there and back
def to_channels_last(tensor):
    return tensor.permute(0, 2, 3, 1).permute(0, 3, 1, 2)
