# draws: returned None. Return a list of tuples (dim, stride, expected, ok). Is a `return` missing?
def contiguity_trace(size, stride):
    expected = 1
    for dim in reversed(range(len(size))):
        if size[dim] != 1:
            print((dim, stride[dim], expected, stride[dim] == expected))
            expected *= size[dim]
