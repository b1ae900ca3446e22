# draws: returned [(0, 1, 1, True), (0, 1, 2, False)]; expected [(1, 1, 1, True), (0, 1, 2, False)].
def contiguity_trace(size, stride):
    steps, expected = [], 1
    for n, step in zip(reversed(size), reversed(stride)):
        if n == 1:
            continue
        steps.append((size.index(n), step, expected, step == expected))
        if step != expected:
            break
        expected *= n
    return steps
