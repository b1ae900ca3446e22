# draws: Return a torch tensor
def reshape(tensor, new_size):
    return tensor.contiguous().view(new_size).tolist()
