# draws: hint: this is what you get if expected is multiplied before the item is written down.
def contiguity_trace(size, stride):
    trace = []
    expected = 1
    for dim in reversed(range(len(size))):
        if size[dim] == 1:
            continue
        ok = stride[dim] == expected
        expected *= size[dim]
        trace.append((dim, stride[dim], expected, ok))
        if not ok:
            break
    return trace
