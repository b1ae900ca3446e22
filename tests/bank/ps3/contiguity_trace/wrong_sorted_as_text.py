# draws: returned [(4, 2, 2, True), (10, 1, 1, True), (0, 6, 6, True)]; expected [(10, 1, 1, True), (4, 2, 2, True), (0, 6, 6, True)].
def contiguity_trace(size, stride):
    steps, expected = [], 1
    for dim in range(len(size) - 1, -1, -1):
        if size[dim] == 1:
            continue
        steps.append((dim, stride[dim], expected, stride[dim] == expected))
        if stride[dim] != expected:
            break
        expected *= size[dim]
    return sorted(steps, key=str, reverse=True)
