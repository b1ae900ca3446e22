# draws: flatten
# draws: that call chooses
def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        return tensor.flatten().view(new_size)
