# draws: returned a copy; expected a view
# draws: hint: this is what you get if every tensor that is not contiguous is copied
def reshape(tensor, new_size):
    if tensor.is_contiguous():
        return tensor.view(new_size)
    return tensor.contiguous().view(new_size)
