# draws: raised RuntimeError: view size is not compatible
# draws: hint: this is what you get from view alone
def reshape(tensor, new_size):
    return tensor.view(new_size)
