# draws: returned False; expected True.
# draws: hint: this is what you get if tensors without elements are walked.
def isContiguous(tensor):
    if len(tensor.shape) > 0 and tensor.shape[0] == 0:
        return True
    expected = 1
    for n, step in zip(tensor.shape[::-1], tensor.stride()[::-1]):
        if n != 1 and step != expected:
            return False
        expected *= n
    return True
