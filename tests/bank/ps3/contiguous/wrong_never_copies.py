# draws: hint: this is what you get if nothing is ever copied.
# draws: returned t itself, of stride (2,); expected a copy in row-major order, on a storage of its own.
def contiguous(tensor):
    return tensor
