def transpose(size, stride, dim0, dim1):
    pairs = [*zip(size, stride)]
    pairs[dim0], pairs[dim1] = pairs[dim1], pairs[dim0]
    new_size, new_stride = zip(*pairs)
    return new_size, new_stride
