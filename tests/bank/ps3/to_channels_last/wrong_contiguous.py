# draws: calls contiguous in line 3 of its source. to_channels_last has to order the memory itself
def to_channels_last(tensor):
    nhwc = tensor.permute(0, 2, 3, 1)
    return nhwc.contiguous().permute(0, 3, 1, 2)
