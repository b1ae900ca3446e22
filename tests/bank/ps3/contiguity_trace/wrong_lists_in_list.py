# draws: one item is [0, 1, 1, True], a list. Return the tuple (dim, stride, expected, ok): tuple(...) makes one
def contiguity_trace(size, stride):
    trace, expected = [], 1
    for dim in range(len(size) - 1, -1, -1):
        if size[dim] == 1:
            continue
        trace.append([dim, stride[dim], expected, stride[dim] == expected])
        if not trace[-1][3]:
            break
        expected *= size[dim]
    return trace
