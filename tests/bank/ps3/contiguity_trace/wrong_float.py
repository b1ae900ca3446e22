# draws: returned [(0, 1, 1.0, True)]. Return a list of tuples (dim, stride, expected, ok); one item is (0, 1, 1.0, True)
from math import prod


def contiguity_trace(size, stride):
    steps = []
    expected = prod(size)
    for dim in range(len(size)):
        expected = expected / size[dim]
        if size[dim] != 1:
            steps.insert(0, (dim, stride[dim], expected, stride[dim] == expected))
    for number, step in enumerate(steps):
        if not step[3]:
            return steps[: number + 1]
    return steps
