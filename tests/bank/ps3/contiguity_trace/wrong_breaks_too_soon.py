# draws: hint: this is what you get if the dim that fails is left out. It is the last item.
# draws: returned []; expected [(0, 2, 1, False)].
def contiguity_trace(size, stride):
    trace = []
    expected = 1
    for dim in reversed(range(len(size))):
        if size[dim] == 1:
            continue
        if stride[dim] != expected:
            break
        trace.append((dim, stride[dim], expected, True))
        expected *= size[dim]
    return trace
