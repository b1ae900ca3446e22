# draws: of type generator. Return a tuple of ints: tuple(...) makes one
def permute(size, stride, dims):
    return (size[d] for d in dims), (stride[d] for d in dims)
