# draws: returned ((2, 3), (7, 2)); expected an IndexError, because 2 is none of the dims -2 to 1 of a tensor of rank 2
# draws: if a dim that is not there is let through
def squeeze(size, stride, dim):
    r = len(size)
    if 1 not in size:
        return size, stride
    d = range(r)[dim]
    if size[d] == 1:
        return size[:d] + size[d + 1 :], stride[:d] + stride[d + 1 :]
    return size, stride
