# draws: complex64, returned 0j at index (0,); expected -0j.
def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        values = tensor.real if tensor.is_complex() else tensor
        return values.contiguous().view(new_size).to(tensor.dtype)
