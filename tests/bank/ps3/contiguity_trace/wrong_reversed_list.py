# draws: hint: this is what you get if the list is turned round.
def contiguity_trace(size, stride):
    trace = []
    expected = 1
    for dim in reversed(range(len(size))):
        if size[dim] == 1:
            continue
        trace.insert(0, (dim, stride[dim], expected, stride[dim] == expected))
        if stride[dim] != expected:
            break
        expected *= size[dim]
    return trace
