# draws: returned size (1, 1, 1, 2); expected (1, 2, 1, 1).
# draws: hint: this is what you get if the dims are permuted and not put back.
def to_channels_last(tensor):
    return tensor.permute(0, 2, 3, 1)
