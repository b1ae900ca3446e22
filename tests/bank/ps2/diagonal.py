# %% right: counts indices
def diagonal(size, stride, storage_offset, offset):
    on_it = [i for i in range(size[0]) if 0 <= i + offset < size[1]]
    if on_it:
        first = on_it[0]
        storage_offset += first * stride[0] + (first + offset) * stride[1]
    return (len(on_it),), (stride[0] + stride[1],), storage_offset


# %% right: min and max
def diagonal(size, stride, storage_offset, offset):
    rows, columns = size
    down, right = stride
    row, column = max(-offset, 0), max(offset, 0)
    count = max(0, min(rows - row, columns - column))
    if count:
        storage_offset += row * down + column * right
    return (count,), (down + right,), storage_offset


# %% right: mirrors negative
def diagonal(size, stride, storage_offset, offset):
    if offset < 0:
        # the transposed matrix has it above
        return diagonal(size[::-1], stride[::-1], storage_offset, -offset)
    n = min(size[0], size[1] - offset)
    step = (stride[0] + stride[1],)
    if n <= 0:
        return (0,), step, storage_offset
    return (n,), step, storage_offset + offset * stride[1]


# %% right: select then slice
def move(size, stride, storage_offset, dim, by):
    rest = list(size)
    rest[dim] = max(rest[dim] - by, 0)
    return rest, storage_offset + by * stride[dim]


def diagonal(size, stride, storage_offset, offset):
    left, start = move(size, stride, storage_offset, int(offset > 0), abs(offset))
    n = min(left)
    return (n,), (sum(stride),), (start if n else storage_offset)


# %% right: sets
def diagonal(size, stride, storage_offset, offset):
    contiguous = {(i, i + offset) for i in range(size[0])} & {
        (j - offset, j) for j in range(size[1])
    }
    step = stride[0] + stride[1]
    if not contiguous:
        return (0,), (step,), storage_offset
    i, j = min(contiguous)
    return (len(contiguous),), (step,), storage_offset + i * stride[0] + j * stride[1]


# %% right: slow all pairs
def diagonal(size, stride, storage_offset, offset):
    np = []
    for i in range(size[0]):
        for j in range(size[1]):
            if j - i == offset:
                np.append(storage_offset + i * stride[0] + j * stride[1])
    return (len(np),), (sum(stride),), np[0] if np else storage_offset


# %% right: walks it
def diagonal(size, stride, storage_offset, offset):
    # walk along until the matrix ends
    i, j = (0, offset) if offset >= 0 else (-offset, 0)
    where = []
    while i < size[0] and j < size[1]:
        where.append(storage_offset + i * stride[0] + j * stride[1])
        i += 1
        j += 1
    if where:
        storage_offset = where[0]
    return (len(where),), (sum(stride),), storage_offset


# %% wrong, usual: c order
# draws: if the matrix is taken for row-major
def diagonal(size, stride, storage_offset, offset):
    rows, cols = size
    i, j = max(0, -offset), max(0, offset)
    n = max(0, min(rows - i, cols - j))
    if n == 0:
        return (0,), (cols + 1,), storage_offset
    return (n,), (cols + 1,), storage_offset + i * cols + j


# %% wrong: cache without storage offset
# draws: returned ((1,), (4,), 6); expected ((1,), (4,), 2)
_s = {}


def diagonal(size, stride, storage_offset, offset):
    k = size, stride, offset
    if k not in _s:
        r, c = max(-offset, 0), max(offset, 0)
        n = max(0, min(size[0] - r, size[1] - c))
        _s[k] = (n,), (sum(stride),), storage_offset + (r * stride[0] + c * stride[1] if n else 0)
    return _s[k]


# %% wrong: clamped moves
# draws: returned ((0,), (4,), 2); expected ((0,), (4,), 0)
def diagonal(size, stride, storage_offset, offset):
    r, c = min(max(-offset, 0), size[0]), min(max(offset, 0), size[1])
    n = max(0, min(size[0] - r, size[1] - c))
    return (n,), (sum(stride),), storage_offset + r * stride[0] + c * stride[1]


# %% wrong: empty matrix moves
# draws: returned ((0,), (9,), 11); expected ((0,), (9,), 4)
def diagonal(size, stride, storage_offset, offset):
    r, c = max(-offset, 0), max(offset, 0)
    n = max(0, min(size[0] - r, size[1] - c))
    moves = c < size[1] if offset >= 0 else r < size[0]
    return (n,), (sum(stride),), storage_offset + (r * stride[0] + c * stride[1] if moves else 0)


# %% wrong: far is main
# draws: returned ((2,), (5,), 0); expected ((0,), (5,), 0)
def diagonal(size, stride, storage_offset, offset):
    if abs(offset) > sum(size):
        offset = 0
    r, c = max(-offset, 0), max(offset, 0)
    n = max(0, min(size[0] - r, size[1] - c))
    return (n,), (sum(stride),), storage_offset + (r * stride[0] + c * stride[1] if n else 0)


# %% wrong: float stride
# draws: returned ((1,), (9007199254740994,), 109007199254740994); expected ((1,), (9007199254740995,), 109007199254740994)
def diagonal(size, stride, storage_offset, offset):
    r, c = max(-offset, 0), max(offset, 0)
    n = max(0, min(size[0] - r, size[1] - c))
    return (
        (n,),
        (int(float(stride[0]) + stride[1]),),
        storage_offset + (r * stride[0] + c * stride[1] if n else 0),
    )


# %% wrong: int for tuple
# draws: one item is 2, an int. It should be a tuple of ints
def diagonal(size, stride, storage_offset, offset):
    return min(size), sum(stride), storage_offset


# %% wrong: modulo
# draws: returned ((2,), (4,), 0); expected ((0,), (4,), 0)
def diagonal(size, stride, storage_offset, offset):
    if size[1] and offset >= size[1]:
        offset %= size[1]
    r, c = max(-offset, 0), max(offset, 0)
    n = max(0, min(size[0] - r, size[1] - c))
    return (n,), (sum(stride),), storage_offset + (r * stride[0] + c * stride[1] if n else 0)


# %% wrong: negative is python
# draws: diagonal -1 begins at row 1, column 0
# draws: moves the storage_offset by
def diagonal(size, stride, storage_offset, offset):
    # -1 is the last one
    if offset < 0:
        offset += size[1]
    n = max(0, min(size[0], size[1] - offset))
    if n:
        storage_offset += offset * stride[1]
    return (n,), (sum(stride),), storage_offset


# %% wrong: numpy numbers
# draws: of NumPy's type int64
import numpy as np


def diagonal(size, stride, storage_offset, offset):
    row, column = max(-offset, 0), max(offset, 0)
    count = np.int64(max(0, min(size[0] - row, size[1] - column)))
    if count:
        storage_offset += row * stride[0] + column * stride[1]
    return (count,), (stride[0] + stride[1],), storage_offset


# %% wrong: stride of single row
# draws: returned ((1,), (7,), 11); expected ((1,), (9,), 11)
def diagonal(size, stride, storage_offset, offset):
    r, c = max(-offset, 0), max(offset, 0)
    n = max(0, min(size[0] - r, size[1] - c))
    s = stride[1] if size[0] == 1 else stride[0] if size[1] == 1 else sum(stride)
    return (n,), (s,), storage_offset + (r * stride[0] + c * stride[1] if n else 0)


# %% wrong: sum of distinct strides
# draws: returned ((1,), (3,), 7); expected ((1,), (6,), 7)
def diagonal(size, stride, storage_offset, offset):
    r, c = max(-offset, 0), max(offset, 0)
    n = max(0, min(size[0] - r, size[1] - c))
    return (n,), (sum(set(stride)),), storage_offset + (r * stride[0] + c * stride[1] if n else 0)


# %% wrong: ten at most
# draws: returned ((10,), (52,), 5); expected ((12,), (52,), 5)
def diagonal(size, stride, storage_offset, offset):
    r, c = max(-offset, 0), max(offset, 0)
    n = 0
    for k in range(10):
        if r + k < size[0] and c + k < size[1]:
            n += 1
    return (n,), (sum(stride),), storage_offset + (r * stride[0] + c * stride[1] if n else 0)


# %% wrong: turns column major round
# draws: returned ((0,), (4,), 4); expected ((1,), (4,), 6)
def diagonal(size, stride, storage_offset, offset):
    if stride[0] < stride[1]:
        size, stride, offset = size[::-1], stride[::-1], offset
    r, c = max(-offset, 0), max(offset, 0)
    n = max(0, min(size[0] - r, size[1] - c))
    return (n,), (sum(stride),), storage_offset + (r * stride[0] + c * stride[1] if n else 0)
