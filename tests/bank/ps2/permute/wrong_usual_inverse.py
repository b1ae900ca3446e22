# draws: from the inverse permutation
# draws: new dim 0 is old dim 1
def permute(size, stride, dims):
    rank = len(size)
    order = [range(rank)[d] for d in dims]
    if sorted(order) != list(range(rank)):
        raise ValueError
    new_size, new_stride = [0] * rank, [0] * rank
    for i, d in enumerate(order):
        new_size[d] = size[i]
        new_stride[d] = stride[i]
    return tuple(new_size), tuple(new_stride)
