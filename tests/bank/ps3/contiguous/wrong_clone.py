# draws: calls clone in line 5. contiguous has to do its own copying: that call would do the exercise.
def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return tensor.clone()
