# draws: hint: this is what you get if only the last stride is looked at.
def isContiguous(tensor):
    if tensor.numel() <= 1:
        return True
    return tensor.stride(-1) == 1 or tensor.size(-1) == 1
