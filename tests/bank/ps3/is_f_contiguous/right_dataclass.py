from dataclasses import dataclass
from functools import reduce


@dataclass
class State:
    expected: int = 1
    good: bool = True

    def step(self, pair):
        n, s = pair
        if n == 0:
            return State(0, True)
        return State(self.expected * n, self.good and s == self.expected)


def is_f_contiguous(size, stride):
    pairs = [(n, s) for n, s in zip(size, stride) if n != 1]
    if any(n == 0 for n, _ in pairs):
        pairs = []
    return reduce(State.step, pairs, State()).good
