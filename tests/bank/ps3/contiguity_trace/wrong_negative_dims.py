# draws: hint: this is what you get if dims are numbered from the right.
def contiguity_trace(size, stride):
    trace, expected = [], 1
    for dim, (n, s) in enumerate(zip(size[::-1], stride[::-1])):
        if n != 1:
            trace.append((dim, s, expected, s == expected))
            if s != expected:
                break
            expected *= n
    return trace
