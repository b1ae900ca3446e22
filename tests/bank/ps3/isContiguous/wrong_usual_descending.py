# draws: hint: this is what you get if descending strides are taken for contiguous.
def isContiguous(tensor):
    # The strides must go down.
    return all(a >= b for a, b in zip(tensor.stride(), tensor.stride()[1:]))
