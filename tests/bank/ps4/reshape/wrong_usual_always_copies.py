# draws: returned a copy; expected a view
# draws: hint: this is what you get if every tensor is copied
def reshape(tensor, new_size):
    return tensor.clone().contiguous().view(new_size)
