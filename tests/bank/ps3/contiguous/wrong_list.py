# draws: returned [0, 2]. Return a torch tensor.
def contiguous(tensor):
    return tensor if tensor.is_contiguous() else tensor.tolist()
