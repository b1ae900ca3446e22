# %% right: numpy indices
import numpy as np


def places(x):
    grid = np.indices(tuple(x.shape)).reshape(x.dim(), -1) if x.dim() else np.zeros((0, 1), int)
    starts = (
        x.data_ptr() + (np.array(x.stride(), dtype=np.int64) @ grid) * x.element_size()
        if x.dim()
        else np.array([x.data_ptr()])
    )
    return set((starts[:, None] + np.arange(x.element_size())).ravel().tolist())


def shares_memory(a, b):
    return bool(places(a) & places(b))


# %% right: slow every pair
from itertools import product


def elements(x):
    """The first byte of each element and the one after its last."""
    for index in product(*map(range, x.size())):
        start = x[index].data_ptr()
        yield start, start + x.element_size()


def shares_memory(a, b):
    for low, high in elements(a):
        for begin, end in elements(b):
            if low < end and begin < high:
                return True
    return False


# %% right: slow mask
def _mask(x, start):
    """One bit per byte of memory, from an address on."""
    mask = 0

    def mark(dim, place):
        nonlocal mask
        if dim == x.dim():
            mask |= ((1 << x.element_size()) - 1) << place
            return
        for _ in range(x.size(dim)):
            mark(dim + 1, place)
            place += x.stride(dim) * x.element_size()

    mark(0, x.data_ptr() - start)
    return mask


def shares_memory(a, b):
    if not (a.numel() and b.numel()):
        return False
    start = min(a.data_ptr(), b.data_ptr())
    # Two memories may be so far apart that no mask reaches from the one to the other.
    if abs(a.data_ptr() - b.data_ptr()) > 1_000_000:
        return False
    return bool(_mask(a, start) & _mask(b, start))


# %% right: slow sets
import itertools


def bytes_of(t):
    found = set()
    begin = t.untyped_storage().data_ptr()
    for index in itertools.product(*[range(n) for n in t.shape]):
        position = t.storage_offset() + sum(i * s for i, s in zip(index, t.stride()))
        for k in range(t.element_size()):
            found.add(begin + position * t.element_size() + k)
    return found


def shares_memory(a, b):
    return len(bytes_of(a) & bytes_of(b)) > 0


# %% right: sorted intervals
import torch


def intervals(x):
    if x.numel() == 0:
        return []
    starts = torch.tensor([x.data_ptr()])
    for n, step in zip(x.size(), x.stride()):
        starts = (starts[:, None] + torch.arange(n) * (step * x.element_size())).flatten()
    return [(start, start + x.element_size()) for start in sorted(starts.tolist())]


def shares_memory(a, b):
    first, second = intervals(a), intervals(b)
    i = j = 0
    while i < len(first) and j < len(second):
        if first[i][1] <= second[j][0]:
            i += 1
        elif second[j][1] <= first[i][0]:
            j += 1
        else:
            return True
    return False


# %% right: sweep
def starts(x, dims=None):
    dims = list(zip(x.size(), x.stride())) if dims is None else dims
    found = [x.data_ptr()]
    for n, s in dims:
        found = [p + i * s * x.element_size() for p in found for i in range(n)]
    return found


def spans(x):
    return {p + k for p in starts(x) for k in range(x.element_size())}


def shares_memory(a, b):
    events = sorted(
        {(p, p + a.element_size(), 0) for p in starts(a)}
        | {(p, p + b.element_size(), 1) for p in starts(b)}
    )
    reach = [0, 0]
    for low, high, side in events:
        if reach[1 - side] > low:
            return True
        reach[side] = max(reach[side], high)
    return False


# %% wrong, usual: data ptr
# draws: hint: this is what you get if data_ptr() is compared
def shares_memory(a, b):
    return a.data_ptr() == b.data_ptr()


# %% wrong: asks numpy
# draws: shares_memory has to find out itself
import numpy as np


def shares_memory(a, b):
    return bool(np.shares_memory(a.numpy(), b.numpy()))


# %% wrong: blocks of the smaller elements
# draws: no byte is in both
def shares_memory(a, b):
    unit = min(a.element_size(), b.element_size())

    def blocks(x):
        starts = [x.data_ptr()]
        for n, step in zip(x.size(), x.stride()):
            starts = [at + i * step * x.element_size() for at in starts for i in range(n)]
        return {byte // unit for at in starts for byte in range(at, at + x.element_size())}

    return not blocks(a).isdisjoint(blocks(b))


# %% wrong: cache by header
# draws: returned False; expected True.
# draws: rule: counted in bytes of the memory, a's elements (8 each) begin at 8, 16, and b's (8 each) at 0, 16: byte 16 is in both.
KNOWN = {}


def S(x):
    found = [x.data_ptr()]
    for n, s in zip(x.size(), x.stride()):
        found = [p + i * s * x.element_size() for p in found for i in range(n)]
    return {p + k for p in found for k in range(x.element_size())}


def shares_memory(a, b):
    key = tuple((x.size(), x.stride(), x.storage_offset(), x.dtype) for x in (a, b))
    if key not in KNOWN:
        KNOWN[key] = not S(a).isdisjoint(S(b))
    return KNOWN[key]


# %% wrong: corners
# draws: expected True
# draws: is in both
def shares_memory(a, b):
    if not a.numel() or not b.numel():
        return False

    def S(x):
        found = [x.data_ptr()]
        for n, s in zip(x.size(), x.stride()):
            found = [
                p + i * s * x.element_size()
                for p in found
                for i in (0, 1, n - 2, n - 1)
                if 0 <= i < n
            ]
        return {p + k for p in found for k in range(x.element_size())}

    return not S(a).isdisjoint(S(b))


# %% wrong: eight bytes at most
# draws: is in both
def shares_memory(a, b):
    def addresses(x):
        found = [x.data_ptr()]
        for n, s in zip(x.size(), x.stride()):
            found = [p + i * s * x.element_size() for p in found for i in range(n)]
        return {p + k for p in found for k in range(min(8, x.element_size()))}

    return not addresses(a).isdisjoint(addresses(b))


# %% wrong: four dims only
# draws: expected True
# draws: is in both
def shares_memory(a, b):
    def S(x):
        if not x.numel():
            return set()
        found = [x.data_ptr()]
        for n, s in list(zip(x.size(), x.stride()))[-4:]:
            found = [p + i * s * x.element_size() for p in found for i in range(n)]
        return {p + k for p in found for k in range(x.element_size())}

    return not S(a).isdisjoint(S(b))


# %% wrong: gcd of strides
# draws: expected False
# draws: no byte is in both
from math import gcd


def shares_memory(a, b):
    if not a.numel() or not b.numel():
        return False

    def ends(x):
        last = sum((n - 1) * s for n, s in zip(x.size(), x.stride()))
        return x.data_ptr(), x.data_ptr() + (last + 1) * x.element_size()

    (l, h), (s, e) = ends(a), ends(b)
    if not (l < e and s < h):
        return False
    g = gcd(
        *[st * a.element_size() for n, st in zip(a.size(), a.stride()) if n > 1],
        *[st * b.element_size() for n, st in zip(b.size(), b.stride()) if n > 1],
    )
    if g == 0:
        return True
    d = (s - l) % g
    return d < a.element_size() or g - d < b.element_size()


# %% wrong: larger element
# draws: returned True; expected False.
def starts(x, dims=None):
    dims = list(zip(x.size(), x.stride())) if dims is None else dims
    found = [x.data_ptr()]
    for n, s in dims:
        found = [p + i * s * x.element_size() for p in found for i in range(n)]
    return found


def spans(x):
    return {p + k for p in starts(x) for k in range(x.element_size())}


def shares_memory(a, b):
    return any(
        abs(p - q) < max(a.element_size(), b.element_size())
        for p in starts(a)
        for q in starts(b)
    )


# %% wrong: one side
# draws: returned False; expected True.
def starts(x, dims=None):
    dims = list(zip(x.size(), x.stride())) if dims is None else dims
    found = [x.data_ptr()]
    for n, s in dims:
        found = [p + i * s * x.element_size() for p in found for i in range(n)]
    return found


def spans(x):
    return {p + k for p in starts(x) for k in range(x.element_size())}


def shares_memory(a, b):
    return any(0 <= q - p < a.element_size() for p in starts(a) for q in starts(b))


# %% wrong: one storage only
# draws: hint: this is what you get if two storages are taken to have no byte in common
# draws: two storages lie on one memory
import itertools


def bytes_of(t):
    found = set()
    for index in itertools.product(*[range(n) for n in t.shape]):
        position = t.storage_offset() + sum(i * s for i, s in zip(index, t.stride()))
        for k in range(t.element_size()):
            found.add(position * t.element_size() + k)
    return found


def shares_memory(a, b):
    if a.untyped_storage().data_ptr() != b.untyped_storage().data_ptr():
        return False
    return len(bytes_of(a) & bytes_of(b)) > 0


# %% wrong: returns set
# draws: of type set. Return a bool: bool(...) makes one
def shares_memory(a, b):
    def addresses(x):
        found = [x.data_ptr()]
        for n, s in zip(x.size(), x.stride()):
            found = [p + i * s * x.element_size() for p in found for i in range(n)]
        return {p + k for p in found for k in range(x.element_size())}

    return addresses(a) & addresses(b)


# %% wrong: writes
# draws: changed a itself. Leave the argument as it was given
def shares_memory(a, b):
    before = b.tolist()
    a.fill_(7)
    return b.tolist() != before


# %% wrong: itself without elements
# draws: a has no elements, so it has no bytes to share
def shares_memory(a, b):
    def addresses(x):
        found = [x.data_ptr()]
        for n, s in zip(x.size(), x.stride()):
            found = [p + i * s * x.element_size() for p in found for i in range(n)]
        return {p + k for p in found for k in range(x.element_size())}

    return a is b or not addresses(a).isdisjoint(addresses(b))
