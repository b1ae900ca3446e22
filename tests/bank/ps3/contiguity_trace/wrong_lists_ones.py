# draws: hint: this is what you get if dims of size 1 are not skipped.
def contiguity_trace(size, stride):
    trace = []
    expected = 1
    for dim in reversed(range(len(size))):
        trace.append((dim, stride[dim], expected, stride[dim] == expected))
        if stride[dim] != expected:
            break
        expected *= size[dim]
    return trace
