# draws: hint: this is what you get if the walk begins at the first dim. It begins at the last.
# draws: walk the dims from the last to the first
def contiguity_trace(size, stride):
    trace = []
    expected = 1
    for dim in range(len(size)):
        if size[dim] == 1:
            continue
        ok = stride[dim] == expected
        trace.append((dim, stride[dim], expected, ok))
        if not ok:
            break
        expected *= size[dim]
    return trace
