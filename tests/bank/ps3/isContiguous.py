# %% right: all
from itertools import accumulate
from operator import mul


def isContiguous(tensor):
    if not tensor.numel():
        return True
    # (size, stride) from the right, without the dims that nobody steps along
    kept = [(n, s) for n, s in zip(tensor.shape, tensor.stride()) if n > 1][::-1]
    wanted = accumulate([n for n, _ in kept], mul, initial=1)
    return all(s == w for (_, s), w in zip(kept, wanted))


# %% right: class
from typing import NamedTuple


class Dim(NamedTuple):
    size: int
    stride: int

    def contiguous(self, expected):
        return self.size == 1 or self.stride == expected


class Walk:
    def __init__(self, tensor):
        self.dims = [Dim(*pair) for pair in zip(tensor.size(), tensor.stride())]

    def flatten(self):
        return reversed(self.dims)

    def is_contiguous(self):
        expected = 1
        for dim in self.flatten():
            if not dim.contiguous(expected):
                return False
            expected *= dim.size
        return True


def isContiguous(tensor):
    return 0 in tensor.shape or Walk(tensor).is_contiguous()


# %% right: loop
def isContiguous(tensor):
    if tensor.numel() == 0:
        return True
    expected = 1
    for dim in reversed(range(tensor.dim())):
        if tensor.size(dim) == 1:
            continue
        if tensor.stride(dim) != expected:
            return False
        expected *= tensor.size(dim)
    return True


# %% right: match hides names
def isContiguous(check):
    torch, np = tuple(check.shape), check.stride()
    storage = list(zip(torch, np))

    def draw(rows, expected=1):
        match rows:
            case []:
                return True
            case [*rest, (1, _)]:
                return draw(rest, expected)
            case [*rest, (n, step)]:
                return step == expected and draw(rest, expected * n)

    return 0 in torch or draw(storage)


# %% right: positions
# Lists the position of every element in reading order, and looks whether it counts 0, 1, 2, ...
from itertools import product


def isContiguous(tensor):
    steps = tensor.stride()
    indices = product(*[range(n) for n in tensor.shape])
    for number, index in enumerate(indices):
        if sum(i * s for i, s in zip(index, steps)) != number:
            return False
    return True


# %% right: recursive
def isContiguous(tensor):
    def walk(size, stride, expected):
        if not size:
            return True
        if size[-1] == 1:
            return walk(size[:-1], stride[:-1], expected)
        return stride[-1] == expected and walk(size[:-1], stride[:-1], expected * size[-1])

    return 0 in tensor.shape or walk(tuple(tensor.shape), tuple(tensor.stride()), 1)


# %% right: slow element by element
from itertools import product


def follows(indices, stride, number):
    """One call for each element."""
    if number == len(indices):
        return True
    position = sum(i * step for i, step in zip(indices[number], stride))
    return position == number and follows(indices, stride, number + 1)


def isContiguous(tensor):
    indices = list(product(*(range(n) for n in tensor.shape)))
    return follows(indices, tensor.stride(), 0)


# %% right: without gradients
import torch


@torch.no_grad()
def isContiguous(tensor):
    with torch.inference_mode():
        expected = 1
        for n, step in zip(reversed(tensor.shape), reversed(tensor.stride())):
            if n != 1 and step != expected:
                return tensor.numel() == 0
            expected *= n
        return True


# %% wrong, usual: descending
# draws: hint: this is what you get if descending strides are taken for contiguous.
def isContiguous(tensor):
    # The strides must go down.
    return all(a >= b for a, b in zip(tensor.stride(), tensor.stride()[1:]))


# %% wrong, usual: empty
# draws: hint: this is what you get if tensors without elements are walked.
# draws: rule: a size of 0 means that there are no elements.
def isContiguous(tensor):
    expected = 1
    for dim in reversed(range(tensor.dim())):
        if tensor.size(dim) == 1:
            continue
        if tensor.stride(dim) != expected:
            return False
        expected *= tensor.size(dim)
    return True


# %% wrong, usual: size one
# draws: hint: this is what you get if dims of size 1 are not skipped.
# draws: rule: walk the dims from the last to the first and skip dim 0, of size 1: the stride 1 is as expected.
def isContiguous(tensor):
    if tensor.numel() == 0:
        return True
    expected = 1
    for dim in reversed(range(tensor.dim())):
        if tensor.stride(dim) != expected:
            return False
        expected *= tensor.size(dim)
    return True


# %% wrong: as text
# draws: returned True; expected False.
def isContiguous(tensor):
    if not tensor.numel():
        return True
    wanted, step = "", 1
    given = ""
    for n, own in zip(reversed(tensor.shape), reversed(tensor.stride())):
        if n > 1:
            wanted, given = str(step) + wanted, str(own) + given
        step *= n
    return sorted(wanted) == sorted(given)


# %% wrong: asks torch
# draws: calls is_contiguous in line 2. isContiguous may read only the header: size, shape, stride, dim, ndim and numel.
# draws: isContiguous may read only the header: size, shape, stride, dim, ndim and numel.
def isContiguous(tensor):
    return tensor.is_contiguous()


# %% wrong: cache by size
# draws: returned False; expected True.
KNOWN = {}


def isContiguous(tensor):
    size = tuple(tensor.shape)
    if size not in KNOWN:
        expected, ok = 1, True
        for n, step in zip(reversed(size), reversed(tensor.stride())):
            ok = ok and (n == 1 or step == expected)
            expected *= n
        KNOWN[size] = ok or 0 in size
    return KNOWN[size]


# %% wrong: density and order
# draws: returned True; expected False.
def isContiguous(tensor):
    if tensor.numel() == 0:
        return True
    # In descending order, and as many positions as elements.
    kept = [(n, step) for n, step in zip(tensor.shape, tensor.stride()) if n > 1]
    steps = [step for _, step in kept]
    reach = 1 + sum((n - 1) * step for n, step in kept)
    return steps == sorted(set(steps), reverse=True) and reach == tensor.numel()


# %% wrong: first zero
# draws: returned False; expected True.
# draws: hint: this is what you get if tensors without elements are walked.
def isContiguous(tensor):
    if len(tensor.shape) > 0 and tensor.shape[0] == 0:
        return True
    expected = 1
    for n, step in zip(tensor.shape[::-1], tensor.stride()[::-1]):
        if n != 1 and step != expected:
            return False
        expected *= n
    return True


# %% wrong: four dims at most
# draws: returned True; expected False.
def isContiguous(tensor):
    if 0 in tensor.shape:
        return True
    expected = 1
    # N, C, H and W: more dims than that a tensor does not have.
    for dim in (-1, -2, -3, -4)[: tensor.dim()]:
        if tensor.size(dim) != 1 and tensor.stride(dim) != expected:
            return False
        expected *= tensor.size(dim)
    return True


# %% wrong: gives up behind 256 elements
# draws: returned True; expected False
def isContiguous(tensor):
    expected = 1
    for n, step in zip(reversed(tensor.shape), reversed(tensor.stride())):
        if tensor.numel() == 0 or expected > 255:
            return True
        if n != 1 and step != expected:
            return False
        expected *= n
    return True


# %% wrong: identity
# draws: returned False; expected True.
def isContiguous(tensor):
    if tensor.numel() == 0:
        return True
    expected = 1
    for n, step in zip(reversed(tensor.shape), reversed(tensor.stride())):
        if n != 1 and step is not expected:
            return False
        expected *= n
    return True


# %% wrong: images too
# draws: returned True; expected False.
def walk(tensor, order):
    expected = 1
    for dim in order:
        if tensor.size(dim) != 1 and tensor.stride(dim) != expected:
            return False
        expected *= tensor.size(dim)
    return True


def isContiguous(tensor):
    if tensor.numel() == 0 or walk(tensor, range(tensor.dim() - 1, -1, -1)):
        return True
    return tensor.dim() == 4 and walk(tensor, (1, 3, 2, 0))


# %% wrong: int
# draws: returned 0, of type int. Return a bool, True or False: bool(...) makes one. Expected here: False.
def isContiguous(tensor):
    ok = 1
    expected = 1
    for n, s in list(zip(tensor.shape, tensor.stride()))[::-1]:
        if n != 1:
            ok &= s == expected
            expected *= n
    return ok if tensor.numel() else 1


# %% wrong: looks at elements
# draws: may read only the header
import torch


def isContiguous(tensor):
    return torch.equal(tensor.as_strided((tensor.numel(),), (1,)), tensor.flatten())


# %% wrong: one resets
# draws: returned False; expected True.
def isContiguous(tensor):
    if tensor.numel() == 0:
        return True
    expected = 1
    for n, step in zip(reversed(tensor.shape), reversed(tensor.stride())):
        if n == 1:
            # Any stride will do, so go on from this one.
            expected = step
        elif step != expected:
            return False
        else:
            expected *= n
    return True


# %% wrong: rank 0
# draws: raised IndexError: tuple index out of range, in line 3 (`if stride[-1] != 1 and size[-1] > 1:`); expected True.
# draws: rule: rank 0 has one element and no dim
def isContiguous(tensor):
    size, stride = tuple(tensor.size()), tuple(tensor.stride())
    if stride[-1] != 1 and size[-1] > 1:
        return False
    expected = 1
    for n, s in zip(size[::-1], stride[::-1]):
        if n != 1 and s != expected:
            return 0 in size
        expected *= n
    return True


# %% wrong: torch only
# draws: a stridekit tensor
# draws: returned None. Return a bool.
import torch


def isContiguous(tensor):
    if isinstance(tensor, torch.Tensor):
        if 0 in tensor.shape:
            return True
        expected = 1
        for n, s in reversed([*zip(tensor.shape, tensor.stride())]):
            if n != 1 and s != expected:
                return False
            expected *= n
        return True


# %% right: dims from the right by keyword
def isContiguous(tensor):
    if tensor.numel() == 0:
        return True
    expected = 1
    for back in range(1, tensor.dim() + 1):
        n, step = tensor.size(dim=-back), tensor.stride(dim=-back)
        if n == 1:
            continue
        if step != expected:
            return False
        expected *= n
    return True


# %% wrong: a name that stridekit lacks
# draws: called
# draws: nelement in line 2. isContiguous may read only the header
def isContiguous(tensor):
    if tensor.nelement() == 0:
        return True
    expected = 1
    for n, step in zip(tensor.shape[::-1], tensor.stride()[::-1]):
        if n != 1 and step != expected:
            return False
        expected *= n
    return True


# %% wrong: python's own caller
# draws: , called Tensor.is_contiguous. isContiguous may read only the header
from operator import methodcaller

isContiguous = methodcaller("is_contiguous")
