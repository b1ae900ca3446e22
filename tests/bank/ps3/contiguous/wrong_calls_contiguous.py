# draws: calls contiguous in line 2 of its source. contiguous has to do its own copying
def contiguous(tensor):
    return tensor.contiguous()
