# draws: returned True; expected False.
def is_f_contiguous(size, stride):
    if 0 in size:
        return True
    if size and size[0] != 1 and stride[0] != 1:
        return False
    for dim in range(len(size) - 1):
        if size[dim] != 1 and size[dim + 1] != 1:
            if stride[dim + 1] != stride[dim] * size[dim]:
                return False
    return True
