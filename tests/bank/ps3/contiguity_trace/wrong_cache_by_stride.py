# draws: returned []; expected [(0, 1, 1, True)].
def contiguity_trace(size, stride, known={}):
    if stride not in known:
        steps, expected = [], 1
        for dim in range(len(size) - 1, -1, -1):
            if size[dim] != 1:
                steps.append((dim, stride[dim], expected, stride[dim] == expected))
                if stride[dim] != expected:
                    break
                expected *= size[dim]
        known[stride] = steps
    return list(known[stride])
