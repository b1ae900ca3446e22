# %% right: drop dims first
def inplace_verdict(size, stride):
    dims = [(s, n) for n, s in zip(size, stride) if n != 1]
    if any(n == 0 for _, n in dims):
        return "safe"
    if dims and min(dims)[0] == 0:
        return "refused"
    return "silent" if meet(dims, [0]) else "safe"


def meet(dims, at):
    if not dims:
        return len(at) > len(set(at))
    (s, n), *rest = dims
    return meet(rest, [p + i * s for p in at for i in range(n)])


# %% right: enum
import enum


class Verdict(str, enum.Enum):
    SAFE = "safe"
    REFUSED = "refused"
    SILENT = "silent"


def inplace_verdict(size, stride):
    if 0 in size:
        return Verdict.SAFE
    if (0, True) in [(s, n > 1) for n, s in zip(size, stride)]:
        return Verdict.REFUSED
    seen = {0}
    for n, s in zip(size, stride):
        new = {p + i * s for p in seen for i in range(n)}
        if len(new) < n * len(seen):
            return Verdict.SILENT
        seen = new
    return Verdict.SAFE


# %% right: match
from collections import Counter


def inplace_verdict(size, stride):
    writes = Counter([0])
    for n, step in zip(size, stride):
        writes = Counter(at + i * step for at in writes.elements() for i in range(n))
    repeated = any(n > 1 and step == 0 for n, step in zip(size, stride))
    match max(writes.values(), default=0), repeated:
        case (0 | 1), _:
            return "safe"
        case _, True:
            return "refused"
        case _:
            return "silent"


# %% right: set
from itertools import product


def positions(size, stride):
    return [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]


def inplace_verdict(size, stride):
    at = positions(size, stride)
    if len(set(at)) == len(at):
        return "safe"
    for n, s in zip(size, stride):
        if s == 0 and n > 1:
            return "refused"
    return "silent"


# %% right: slow all pairs
from itertools import combinations, product


def position(index, stride):
    return 0 if not index else index[0] * stride[0] + position(index[1:], stride[1:])


def inplace_verdict(size, stride):
    storage = [position(index, stride) for index in product(*map(range, size))]
    if not any(one == other for one, other in combinations(storage, 2)):
        return "safe"
    return "refused" if any(n > 1 and s == 0 for n, s in zip(size, stride)) else "silent"


# %% wrong, usual: refused for every overlap
# draws: hint: this is what you get if torch is thought to refuse every overlap
# draws: both lie at position 1, which is written twice
# draws: returned 'refused'; expected 'silent'
from itertools import product


def inplace_verdict(size, stride):
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    return "refused" if len(set(at)) < len(at) else "safe"


# %% wrong: asks torch
# draws: This exercise is plain Python on numbers
import torch


def inplace_verdict(size, stride):
    end = sum((n - 1) * s for n, s in zip(size, stride)) + 1 if 0 not in size else 0
    view = torch.zeros(end).as_strided(size, stride)
    try:
        view.add_(1)
    except RuntimeError:
        return "refused"
    return "silent" if view.numel() and view.max() > 1 else "safe"


# %% wrong: bool
# draws: Return one of the strings "safe", "refused" and "silent"
def inplace_verdict(size, stride):
    at = [0]
    for n, s in zip(size, stride):
        at = [p + i * s for p in at for i in range(n)]
    return len(set(at)) == len(at)


# %% wrong: equal strides refused
# draws: hint: this is what you get if torch is thought to refuse every overlap. It only looks for stride 0.
# draws: returned 'refused'; expected 'silent'.
from itertools import product


def inplace_verdict(size, stride):
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    if len(set(at)) == len(at):
        return "safe"
    steps = [s for n, s in zip(size, stride) if n > 1]
    return "refused" if 0 in steps or len(set(steps)) < len(steps) else "silent"


# %% wrong: nothing in many dims is refused
# draws: returned 'refused'; expected 'safe'
from itertools import product


def inplace_verdict(size, stride):
    if 0 in size and len(size) < 6:
        return "safe"
    if any(n > 1 and step == 0 for n, step in zip(size, stride)):
        return "refused"
    indices = product(*map(range, size))
    at = [sum(i * step for i, step in zip(index, stride)) for index in indices]
    return "safe" if len(at) == len(set(at)) else "silent"


# %% wrong: other overlap first
# draws: returned 'silent'; expected 'refused'.
from itertools import product


def overlaps(size, stride):
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    return len(set(at)) < len(at)


def inplace_verdict(size, stride):
    moving = [(n, s) for n, s in zip(size, stride) if s]
    if overlaps([n for n, _ in moving], [s for _, s in moving]) and 0 not in size:
        return "silent"
    return "refused" if overlaps(size, stride) else "safe"


# %% wrong: other word
# draws: returned 'raises'. Return one of the strings
def inplace_verdict(size, stride):
    at = [0]
    for n, s in zip(size, stride):
        at = [p + i * s for p in at for i in range(n)]
    if len(set(at)) == len(at):
        return "safe"
    if any(n > 1 and s == 0 for n, s in zip(size, stride)):
        return "raises"
    return "silent"


# %% wrong: first and last stride alone
# draws: inplace_verdict((2, 2, 2), (4, 0, 1)) returned 'silent'; expected 'refused'.
def inplace_verdict(size, stride):
    at = [0]
    for n, s in zip(size, stride):
        at = [p + i * s for p in at for i in range(n)]
    if len(set(at)) == len(at):
        return "safe"
    dims = [*zip(size, stride)]
    return "refused" if any(n > 1 and s == 0 for n, s in (dims[0], dims[-1])) else "silent"
