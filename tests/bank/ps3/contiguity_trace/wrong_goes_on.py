# draws: hint: this is what you get if the walk goes on after the first failure.
# draws: So its item has ok False, and it ends the list.
def contiguity_trace(size, stride):
    trace = []
    expected = 1
    for dim in reversed(range(len(size))):
        if size[dim] != 1:
            trace.append((dim, stride[dim], expected, stride[dim] == expected))
            expected *= size[dim]
    return trace
