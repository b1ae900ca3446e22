# draws: changed t itself
def reshape(tensor, new_size):
    return tensor.resize_(new_size)
