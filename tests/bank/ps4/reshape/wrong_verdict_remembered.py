# draws: raised RuntimeError: view size is not compatible
seen = {}


def has_view(tensor, new_size):
    try:
        tensor.view(new_size)
    except RuntimeError:
        return False
    return True


def reshape(tensor, new_size):
    key = tuple(tensor.shape), new_size
    if key not in seen:
        seen[key] = has_view(tensor, new_size)
    if seen[key]:
        return tensor.view(new_size)
    return tensor.contiguous().view(new_size)
