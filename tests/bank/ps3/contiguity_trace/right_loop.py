def contiguity_trace(size, stride):
    trace = []
    expected = 1
    dim = len(size) - 1
    while dim >= 0:
        if size[dim] != 1:
            ok = stride[dim] == expected
            trace.append((dim, stride[dim], expected, ok))
            if not ok:
                return trace
            expected = expected * size[dim]
        dim -= 1
    return trace
