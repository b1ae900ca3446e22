def isContiguous(tensor):
    def walk(size, stride, expected):
        if not size:
            return True
        if size[-1] == 1:
            return walk(size[:-1], stride[:-1], expected)
        return stride[-1] == expected and walk(size[:-1], stride[:-1], expected * size[-1])

    return 0 in tensor.shape or walk(tuple(tensor.shape), tuple(tensor.stride()), 1)
