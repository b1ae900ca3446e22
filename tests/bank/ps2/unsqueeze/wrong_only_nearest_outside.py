# draws: returned ((2, 1, 3), (60, 21, 7)); expected an IndexError, because 7 is none of the dims -3 to 2 of the result, a tensor of rank 3
# draws: if a dim that is not there is accepted
def unsqueeze(size, stride, dim):
    r = len(size)
    if dim in (r + 1, -r - 2):
        raise IndexError
    d = dim % (r + 1)
    own = size[d] * stride[d] if d < r else 1
    return size[:d] + (1,) + size[d:], stride[:d] + (own,) + stride[d:]
