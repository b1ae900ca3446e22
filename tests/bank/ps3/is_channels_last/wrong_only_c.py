# draws: hint: this is what you get if only the stride of C is looked at.
def is_channels_last(size, stride):
    return len(size) == 4 and stride[1] == 1
