# %% right: generator of runs
def factors(size, stride):
    # The dims from the right as (elements, step), neighbours merged.
    elements, step = 1, 0
    for n, s in zip(reversed(size), reversed(stride)):
        if n == 1:
            continue
        if elements > 1 and s != elements * step:
            yield elements, step
            elements = 1
        if elements == 1:
            step = s
        elements *= n
    yield elements, step


def view_stride(size, stride, new_size):
    if 0 in size:
        return (1,) * len(new_size)
    runs = factors(size, stride)
    left, step = next(runs)
    out = ()
    for n in reversed(new_size):
        if n > 1 and left == 1:
            left, step = next(runs)
        if left % n:
            return None
        out = (step,) + out
        left //= n
        step *= n
    return out


# %% right: recursive split
from itertools import product


def view_stride(size, stride, new_size):
    def value(ix):
        return sum((i * s for i, s in zip(ix, stride)))
    order = [value(ix) for ix in product(*map(range, size))]

    def split(order, new):
        if not new:
            return () if len(order) <= 1 else None
        if not order:
            return (0,) * len(new)
        n, part = (new[0], len(order) // new[0])
        hops = {b - a for a, b in zip(order, order[part:])}
        if len(hops) > 1:
            return None
        rest = split(order[:part], new[1:])
        return None if rest is None else (hops.pop() if hops else 0,) + rest
    return split(order, new_size)


# %% right: slow from positions
from itertools import product


def visits(size, stride):
    return [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]


# A stride is the distance to the neighbour: read it off the list of positions, then try it.
def view_stride(size, stride, new_size):
    order = visits(size, stride)
    guess, inner = [], 1
    for n in new_size[::-1]:
        guess.append(order[inner] if n > 1 and order else -7)
        inner *= n
    guess = tuple(guess[::-1])
    return guess if not order or visits(new_size, guess) == order else None


# %% right: torch walk
def view_stride(size, stride, new_size):
    if 0 in size:
        return tuple(0 for _ in new_size)
    if len(size) == 0:
        return tuple(new_size)
    result = [1] * len(new_size)
    new = len(new_size) - 1
    chunk = 1
    base = stride[-1]
    for d in range(len(size) - 1, -1, -1):
        chunk *= size[d]
        if d > 0 and (size[d - 1] == 1 or stride[d - 1] == chunk * base):
            continue
        filled = 1
        while new >= 0 and (filled < chunk or new_size[new] == 1):
            result[new] = filled * base
            filled *= new_size[new]
            new -= 1
        if filled != chunk:
            return None
        if d > 0:
            base, chunk = stride[d - 1], 1
    return tuple(result)


# %% right: tuple subclass
from itertools import product


def split_view(size, stride, new_size):
    def value(ix):
        return sum((i * s for i, s in zip(ix, stride)))
    order = [value(ix) for ix in product(*map(range, size))]

    def split(order, new):
        if not new:
            return () if len(order) <= 1 else None
        if not order:
            return (0,) * len(new)
        n, part = (new[0], len(order) // new[0])
        hops = {b - a for a, b in zip(order, order[part:])}
        if len(hops) > 1:
            return None
        rest = split(order[:part], new[1:])
        return None if rest is None else (hops.pop() if hops else 0,) + rest
    return split(order, new_size)


class Size(tuple):
    pass


def view_stride(size, stride, new_size):
    out = split_view(size, stride, new_size)
    return None if out is None else Size(out)


# %% wrong, usual: c strides
# draws: hint: this is what you get if every view gets row-major strides
def view_stride(size, stride, new_size):
    result = []
    step = 1
    for n in reversed(new_size):
        result.append(step)
        step *= max(n, 1)
    return tuple(reversed(result))


# %% wrong: c strides where possible
# draws: hint: this is what you get if every view gets row-major strides
import math


def possible(size, stride, new_size):
    if 0 in size:
        return True
    dims = [(n, s) for n, s in zip(size, stride) if n != 1]
    ends = [math.prod(new_size[d:]) for d in range(len(new_size))]
    return all(
        dims[d][1] == dims[d + 1][0] * dims[d + 1][1]
        or math.prod(n for n, _ in dims[d + 1:]) in ends
        for d in range(len(dims) - 1)
    )


def view_stride(size, stride, new_size):
    if possible(size, stride, new_size):
        return tuple(math.prod(new_size[d + 1:]) for d in range(len(new_size)))
    return None


# %% wrong: cache without stride
# draws: returned (0, 0); expected (4, 2).
from itertools import pairwise, product
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


def positions(size, stride):
    return [sum((i * s for i, s in zip(ix, stride))) for ix in product(*map(range, size))]


def answer(size, stride, new_size):
    if not can_view(size, stride, new_size):
        return None
    if 0 in size:
        return (1,) * len(new_size)
    p = positions(size, stride)
    out = []
    inner = 1
    for n in new_size[::-1]:
        out.insert(0, p[inner] if n > 1 else 0)
        inner *= n
    return tuple(out)


known = {}


def view_stride(size, stride, new_size):
    return known.setdefault((size, new_size), answer(size, stride, new_size))


# %% wrong: contiguous only
# draws: returned None; expected (4, 2)
# draws: hint: this is what you get if only contiguous tensors can be viewed
import math


def view_stride(size, stride, new_size):
    expected = 1
    for n, s in zip(size[::-1], stride[::-1]):
        if n != 1 and s != expected and 0 not in size:
            return None
        expected *= n
    return tuple(math.prod(new_size[d + 1:]) for d in range(len(new_size)))


# %% wrong: false for none
# draws: returned False, a bool. Return a tuple of ints, or None
from itertools import product


def visits(size, stride):
    return [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]


def view_stride(size, stride, new_size):
    order = visits(size, stride)
    guess, inner = [], 1
    for n in new_size[::-1]:
        guess.insert(0, order[inner] if n > 1 and order else 1)
        inner *= n
    return visits(new_size, guess) == order and tuple(guess)


# %% wrong: ignores misfit
# draws: expected None
# draws: rule: (4,) would need one dim across two that do not merge
def view_stride(size, stride, new_size):
    if 0 in size or not size:
        return (1,) * len(new_size)
    result = [1] * len(new_size)
    new = len(new_size) - 1
    chunk = 1
    base = stride[-1]
    for d in range(len(size) - 1, -1, -1):
        chunk *= size[d]
        if d == 0 or (size[d - 1] != 1 and stride[d - 1] != chunk * base):
            filled = 1
            while new >= 0 and (filled < chunk or new_size[new] == 1):
                result[new] = filled * base
                filled *= new_size[new]
                new -= 1
            base, chunk = stride[d - 1], 1
    return tuple(result)


# %% wrong: last step everywhere
# draws: hint: this is what you get if the step of the last dim is used everywhere
import math


def view_stride(size, stride, new_size):
    if 0 in size:
        return new_size
    dims = [(n, s) for n, s in zip(size, stride) if n != 1]
    ends = [math.prod(new_size[d:]) for d in range(len(new_size))]
    for d in range(1, len(dims)):
        seam = dims[d - 1][1] != dims[d][0] * dims[d][1]
        if seam and math.prod(n for n, _ in dims[d:]) not in ends:
            return None
    step = dims[-1][1] if dims else 1
    return tuple(step * math.prod(new_size[d + 1:]) for d in range(len(new_size)))


# %% wrong: list
# draws: a list. Return a tuple of ints, or None: tuple(...) makes one
def view_stride(size, stride, new_size):
    if 0 in size:
        return [1] * len(new_size)
    dims = [(n, s) for n, s in zip(size, stride) if n > 1]
    result = []
    n, step = dims.pop() if dims else (1, 1)
    for m in reversed(new_size):
        if n == 1 and m > 1:
            n, step = dims.pop()
        while dims and dims[-1][1] == n * step:
            n *= dims.pop()[0]
        if n % m:
            return None
        result.insert(0, step)
        step *= m
        n //= m
    return result


# %% wrong: looks size up
# draws: returned (2, 4); expected (6, 2).
from itertools import pairwise, product
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


def positions(size, stride):
    return [sum((i * s for i, s in zip(ix, stride))) for ix in product(*map(range, size))]


def answer(size, stride, new_size):
    if not can_view(size, stride, new_size):
        return None
    if 0 in size:
        return (1,) * len(new_size)
    p = positions(size, stride)
    out = []
    inner = 1
    for n in new_size[::-1]:
        out.insert(0, p[inner] if n > 1 else 0)
        inner *= n
    return tuple(out)


def view_stride(size, stride, new_size):
    if not can_view(size, stride, new_size):
        return None
    g = answer(size, stride, new_size)
    look = dict(zip(size, stride))
    return tuple((look.get(n, s) for n, s in zip(new_size, g)))


# %% wrong: never none
# draws: rule: (4,) would need one dim across two that do not merge
# draws: returned (1,); expected None
from itertools import product


def visits(size, stride):
    return [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]


def c_strides(size):
    out, step = [], 1
    for n in reversed(size):
        out.insert(0, step)
        step *= max(n, 1)
    return tuple(out)


def view_stride(size, stride, new_size):
    order = visits(size, stride)
    if not order:
        return c_strides(new_size)
    guess = tuple(
        order[inner] if n > 1 else 1 for n, inner in zip(new_size, c_strides(new_size))
    )
    if visits(new_size, guess) == order:
        return guess
    return c_strides(new_size)


# %% wrong: new ones dropped
# draws: returned (2,); expected (4, 2).
from itertools import pairwise, product
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


def positions(size, stride):
    return [sum((i * s for i, s in zip(ix, stride))) for ix in product(*map(range, size))]


def answer(size, stride, new_size):
    if not can_view(size, stride, new_size):
        return None
    if 0 in size:
        return (1,) * len(new_size)
    p = positions(size, stride)
    out = []
    inner = 1
    for n in new_size[::-1]:
        out.insert(0, p[inner] if n > 1 else 0)
        inner *= n
    return tuple(out)


def view_stride(size, stride, new_size):
    g = answer(size, stride, new_size)
    return g and tuple((s for s, n in zip(g, new_size) if n != 1))


# %% wrong: nobody checks
# draws: returned (2,); expected None.
from itertools import product


def positions(size, stride):
    return [sum((i * s for i, s in zip(ix, stride))) for ix in product(*map(range, size))]


def view_stride(size, stride, new_size):
    if 0 in size:
        return (1,) * len(new_size)
    p = positions(size, stride)
    out = []
    inner = 1
    for n in new_size[::-1]:
        out.insert(0, p[inner] if n > 1 else 0)
        inner *= n
    return tuple(out)


# %% wrong: none without elements
# draws: returned None; expected any tuple of 1 int.
from itertools import pairwise, product
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


def positions(size, stride):
    return [sum((i * s for i, s in zip(ix, stride))) for ix in product(*map(range, size))]


def answer(size, stride, new_size):
    if not can_view(size, stride, new_size):
        return None
    if 0 in size:
        return (1,) * len(new_size)
    p = positions(size, stride)
    out = []
    inner = 1
    for n in new_size[::-1]:
        out.insert(0, p[inner] if n > 1 else 0)
        inner *= n
    return tuple(out)


def view_stride(size, stride, new_size):
    if 0 in size and size != new_size:
        return None
    return answer(size, stride, new_size)


# %% wrong: old rank
# draws: returned (2,); expected None.
import math


def view_stride(size, stride, new_size):
    if 0 in size:
        return (1,) * len(new_size)
    result = [stride[-1]]
    for n in reversed(new_size[1:]):
        result.insert(0, result[0] * n)
    return tuple(result)


# %% wrong: raises for none
# draws: raised RuntimeError: view size is not compatible
from itertools import pairwise, product
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


def positions(size, stride):
    return [sum((i * s for i, s in zip(ix, stride))) for ix in product(*map(range, size))]


def answer(size, stride, new_size):
    if not can_view(size, stride, new_size):
        return None
    if 0 in size:
        return (1,) * len(new_size)
    p = positions(size, stride)
    out = []
    inner = 1
    for n in new_size[::-1]:
        out.insert(0, p[inner] if n > 1 else 0)
        inner *= n
    return tuple(out)


def view_stride(size, stride, new_size):
    g = answer(size, stride, new_size)
    if g is None:
        raise RuntimeError('view size is not compatible')
    return g


# %% wrong: run left too late
# draws: returned (6, 1); expected (7, 1).
from itertools import pairwise
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


def view_stride(size, stride, new_size):
    if not can_view(size, stride, new_size):
        return None
    if 0 in size:
        return (1,) * len(new_size)
    steps = [s for n, s in zip(size, stride) if n != 1][::-1]
    sizes = [n for n in size if n != 1][::-1]
    out = []
    i = 0
    acc = 1
    step = steps[0] if steps else 1
    for n in reversed(new_size):
        out.insert(0, step)
        step *= n
        acc *= n
        if i < len(sizes) and acc == sizes[i]:
            i += 1
            acc = 1
            if i < len(steps):
                step = steps[i]
    return tuple(out)


# %% wrong: stride of ones
# draws: returned (16, 4, 4); expected (4, 1, 4).
import math
from itertools import pairwise


def has_view(size, stride, new_size):
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all(
        stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)
    )


# The step of the old dim that begins at the same place. A dim of size 1 begins there, too.
def view_stride(size, stride, new_size):
    if 0 in size:
        return (1,) * len(new_size)
    if not has_view(size, stride, new_size):
        return None
    steps = {math.prod(size[d + 1:]): stride[d] for d in range(len(size))}
    result = []
    for d in reversed(range(len(new_size))):
        inner = math.prod(new_size[d + 1:])
        last = result[0] * new_size[d + 1] if result else 1
        result.insert(0, steps.get(inner, last))
    return tuple(result)


# %% wrong: walk without ones
# draws: returned None; expected (4, 2).
def view_stride(size, stride, new_size):
    if 0 in size:
        return (1,) * len(new_size)
    if not size:
        return (1,) * len(new_size)
    res = [1] * len(new_size)
    v = len(new_size) - 1
    chunk = 1
    base = stride[-1]
    for d in range(len(size) - 1, -1, -1):
        chunk *= size[d]
        if d == 0 or (size[d - 1] != 1 and stride[d - 1] != chunk * base):
            f = 1
            while v >= 0 and f < chunk:
                res[v] = f * base
                f *= new_size[v]
                v -= 1
            if f != chunk:
                return None
            if d:
                base = stride[d - 1]
                chunk = 1
    return tuple(res) if v == -1 else None

# %% wrong: strides of sixteen bits
# draws: returned (14466, 40001); expected (80002, 40001)
from math import prod


def view_stride(size, stride, new_size):
    if 0 in size:
        return (0,) * len(new_size)
    positions = [0]
    for n, step in zip(size, stride, strict=True):
        positions = [at + i * step for at in positions for i in range(n)]
    steps = []
    for dim, n in enumerate(new_size):
        steps.append(positions[prod(new_size[dim + 1 :])] if n > 1 else 0)
    found = [0]
    for n, step in zip(new_size, steps, strict=True):
        found = [at + i * step for at in found for i in range(n)]
    return tuple(step % 2**16 for step in steps) if found == positions else None
