# draws: returned a copy; expected a view
def reshape(tensor, new_size):
    try:
        return tensor.view(new_size).clone()
    except RuntimeError:
        return tensor.contiguous().view(new_size)
