# draws: Called by itself it is right, so what it gives depends on other calls.
def contiguity_trace(size, stride, steps=[]):
    steps.clear()
    expected = 1
    for dim in reversed(range(len(size))):
        if size[dim] == 1:
            continue
        steps.append((dim, stride[dim], expected, stride[dim] == expected))
        if not steps[-1][3]:
            break
        expected *= size[dim]
    return steps
