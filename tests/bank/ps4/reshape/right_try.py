def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        return tensor.contiguous().view(new_size)
