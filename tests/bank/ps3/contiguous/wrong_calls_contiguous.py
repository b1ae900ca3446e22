# draws: calls contiguous in line 3. contiguous has to do its own copying: that call would do the exercise.
def contiguous(tensor):
    return tensor.contiguous()
