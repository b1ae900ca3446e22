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
