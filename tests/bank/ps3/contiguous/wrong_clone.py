# draws: calls clone in line 4 of its source. contiguous has to do its own copying
def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return tensor.clone()
