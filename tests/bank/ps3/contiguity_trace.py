# %% right: generator
from math import prod
from typing import NamedTuple


class Step(NamedTuple):
    dim: int
    stride: int
    expected: int
    ok: bool


def steps(size, stride):
    for dim in range(len(size))[::-1]:
        if size[dim] > 1:
            expected = prod(size[dim + 1 :])
            yield Step(dim, stride[dim], expected, expected == stride[dim])


def contiguity_trace(size, stride):
    visited = []
    for step in steps(size, stride):
        visited.append(step)
        if not step.ok:
            break
    return visited


# %% right: loop
def contiguity_trace(size, stride):
    trace = []
    expected = 1
    dim = len(size) - 1
    while dim >= 0:
        if size[dim] != 1:
            ok = stride[dim] == expected
            trace.append((dim, stride[dim], expected, ok))
            if not ok:
                return trace
            expected = expected * size[dim]
        dim -= 1
    return trace


# %% right: match
def contiguity_trace(size, stride, expected=1):
    dim = len(size) - 1
    match size:
        case ():
            return []
        case (*_, 1):
            return contiguity_trace(size[:-1], stride[:-1], expected)
        case (*rest, n) if stride[-1] == expected:
            step = (dim, stride[-1], expected, True)
            return [step, *contiguity_trace(tuple(rest), stride[:-1], expected * n)]
        case _:
            return [(dim, stride[-1], expected, False)]


# %% right: named tuple
from collections import deque, namedtuple
from itertools import accumulate
from operator import mul

Step = namedtuple("Step", "dim stride expected ok")


class Steps(list):
    def contiguous(self):
        return all(step.ok for step in self)


def contiguity_trace(size, stride):
    steps = Steps()
    np = deque(accumulate(reversed(size), mul, initial=1))
    for storage in reversed(range(len(size))):
        rows = np.popleft()
        if size[storage] != 1 and steps.contiguous():
            steps.append(Step(storage, stride[storage], rows, stride[storage] == rows))
    return steps


# %% right: recursive
def contiguity_trace(size, stride, expected=1):
    if not size:
        return []
    *outer, n = size
    *outer_stride, step = stride
    if n == 1:
        return contiguity_trace(outer, outer_stride, expected)
    here = (len(outer), step, expected, step == expected)
    if step != expected:
        return [here]
    return [here] + contiguity_trace(outer, outer_stride, expected * n)


# %% wrong, usual: direction
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


# %% wrong: cache by stride
# draws: returned []; expected [(1, 2, 1, False)].
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


# %% wrong: default list
# draws: Called again, by itself, it is right, so what it gives depends on other calls.
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


# %% wrong: dim by size
# draws: returned [(0, 2, 1, False)]; expected [(1, 2, 1, False)].
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


# %% wrong: explains
# draws: calls stridekit.contiguity in line 5. This exercise is plain Python on numbers: no call of torch, NumPy or stridekit.
from stridekit import Layout, explain


def contiguity_trace(size, stride):
    steps = explain.contiguity(Layout(size, stride)).steps
    return [(s.dim, s.stride, s.expected, s.ok) for s in steps if s.ok is not None]


# %% wrong: float
# draws: returned [(1, 2, 1.0, False)]. Return a list of tuples (dim, stride, expected, ok); one item is (1, 2, 1.0, False). It should be the tuple (dim, stride, exp
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


# %% wrong: lists in list
# draws: returned [[1, 2, 1, False]]. Return a list of tuples (dim, stride, expected, ok); one item is [1, 2, 1, False], a list. It should be the tuple (dim, stride,
def contiguity_trace(size, stride):
    trace, expected = [], 1
    for dim in range(len(size) - 1, -1, -1):
        if size[dim] == 1:
            continue
        trace.append([dim, stride[dim], expected, stride[dim] == expected])
        if not trace[-1][3]:
            break
        expected *= size[dim]
    return trace


# %% wrong: none
# draws: returned None. Return a list of tuples (dim, stride, expected, ok). Is a `return` missing?
def contiguity_trace(size, stride):
    expected = 1
    for dim in reversed(range(len(size))):
        if size[dim] != 1:
            print((dim, stride[dim], expected, stride[dim] == expected))
            expected *= size[dim]


# %% wrong: sorted as text
# draws: returned [(9, 3, 3, True), (7, 66, 33, False), (11, 1, 1, True)]; expected [(11, 1, 1, True), (9, 3, 3, True), (7, 66, 33, False)].
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
