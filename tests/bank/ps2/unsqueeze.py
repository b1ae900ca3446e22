# %% right: class with view
class View:
    def __init__(self, size, stride):
        self._s, self._t = size, stride

    def size(self):
        return self._s

    def stride(self):
        return self._t

    def view(self, d):
        rank = len(self._s)
        own = 1
        if d < rank:
            own = self._s[d] * self._t[d]
        return View(self._s[:d] + (1,) + self._s[d:], self._t[:d] + (own,) + self._t[d:])


def unsqueeze(size, stride, dim):
    t = View(size, stride)
    if dim < -len(size) - 1 or dim > len(size):
        raise IndexError("no")
    t = t.view(dim if dim >= 0 else dim + len(size) + 1)
    return t.size(), t.stride()


# %% right: insert
def unsqueeze(size, stride, dim):
    new_rank = len(size) + 1
    if dim < 0:
        dim = dim + new_rank
    if not 0 <= dim < new_rank:
        raise IndexError("dim out of range")
    try:
        new_stride = stride[dim] * size[dim]
    except IndexError:
        # nothing to the right
        new_stride = 1
    sizes = list(size)
    strides = list(stride)
    sizes.insert(dim, 1)
    strides.insert(dim, new_stride)
    return tuple(sizes), tuple(strides)


# %% right: recursion from right
def unsqueeze(size, stride, dim):
    if dim >= 0:
        dim -= len(size) + 1
    if dim >= 0 or dim < -len(size) - 1:
        raise IndexError
    if dim == -1:
        return size + (1,), stride + (1,)
    if dim == -2:
        return size[:-1] + (1, size[-1]), stride[:-1] + (size[-1] * stride[-1], stride[-1])
    s, t = unsqueeze(size[:-1], stride[:-1], dim + 1)
    return s + size[-1:], t + stride[-1:]


# %% right: recursive from left
def unsqueeze(size, stride, dim):
    if dim < 0:
        dim += len(size) + 1
    if dim < 0 or dim > len(size):
        raise IndexError
    return put(size, stride, dim)


def put(size, stride, dim):
    if dim:
        s, t = put(size[1:], stride[1:], dim - 1)
        return size[:1] + s, stride[:1] + t
    if not size:
        return (1,), (1,)
    return (1,) + size, (size[0] * stride[0],) + stride


# %% right: slices
def unsqueeze(size, stride, dim):
    rank = len(size)
    dim = range(rank + 1)[dim]
    own = size[dim] * stride[dim] if dim < rank else 1
    return size[:dim] + (1,) + size[dim:], stride[:dim] + (own,) + stride[dim:]


# %% right: slow sum of steps
from itertools import chain


def unsqueeze(size, stride, dim):
    np = len(size)
    places = {}
    for k in range(np + 1):
        places[k] = k
        places[k - np - 1] = k
    if dim not in places:
        raise IndexError
    storage = places[dim]
    check = 0
    for n, s in list(zip(size, stride))[storage : storage + 1]:
        for _ in range(n):
            check += s
    if storage == np:
        check = 1
    return tuple(chain(size[:storage], [1], size[storage:])), tuple(
        chain(stride[:storage], [check], stride[storage:])
    )


# %% wrong, usual: negative off by one
# draws: add rank + 1
# draws: rule: dim -2 counts in the result, of rank 3, so it is dim -2 + 3 = 1 there; the new dim 1 has size 1 and stride size ×
def unsqueeze(size, stride, dim):
    if dim < -len(size) - 1 or dim > len(size):
        raise IndexError
    if dim < 0:
        dim += len(size)
    own = 1 if dim == len(size) else size[dim] * stride[dim]
    return size[:dim] + (1,) + size[dim:], stride[:dim] + (own,) + stride[dim:]


# %% wrong: accepts far dims
# draws: the new dim counts in the result
def unsqueeze(size, stride, dim):
    if dim < 0:
        dim += len(size) + 1
    own = size[dim] * stride[dim] if 0 <= dim < len(size) else 1
    sizes, strides = list(size), list(stride)
    sizes.insert(dim, 1)
    strides.insert(dim, own)
    return tuple(sizes), tuple(strides)


# %% wrong: any size zero
# draws: returned ((0, 1, 2), (1, 0, 3)); expected ((0, 1, 2), (1, 6, 3))
def unsqueeze(size, stride, dim):
    d = range(len(size) + 1)[dim]
    own = size[d] * stride[d] if d < len(size) else 1
    if 0 in size:
        own = 0 if d < len(size) else 1
    return size[:d] + (1,) + size[d:], stride[:d] + (own,) + stride[d:]


# %% wrong: buffer used again
# draws: returned ((2, 3, 1), (1, 3, 9)); expected ((2, 3, 1), (1, 3, 1))
_b = [1]


def unsqueeze(size, stride, dim):
    d = range(len(size) + 1)[dim]
    if d < len(size):
        _b[0] = size[d] * stride[d]
    return size[:d] + (1,) + size[d:], stride[:d] + (_b[0],) + stride[d:]


# %% wrong: end of empty is zero
# draws: returned ((0, 2, 1), (1, 3, 0)); expected ((0, 2, 1), (1, 3, 1))
def unsqueeze(size, stride, dim):
    d = range(len(size) + 1)[dim]
    own = size[d] * stride[d] if d < len(size) else int(0 not in size)
    return size[:d] + (1,) + size[d:], stride[:d] + (own,) + stride[d:]


# %% wrong: float stride
# draws: returned ((1, 2, 3), (18014398509481984, 9007199254740993, 2)); expected ((1, 2, 3), (18014398509481986, 9007199254740993, 2))
def unsqueeze(size, stride, dim):
    d = range(len(size) + 1)[dim]
    return size[:d] + (1,) + size[d:], stride[:d] + (
        int(size[d] * float(stride[d])) if d < len(size) else 1,
    ) + stride[d:]


# %% wrong: largest extent
# draws: returned ((1, 2, 3), (9, 1, 3)); expected ((1, 2, 3), (2, 1, 3))
def unsqueeze(size, stride, dim):
    d = range(len(size) + 1)[dim]
    own = max((n * s for n, s in zip(size[d:], stride[d:])), default=1)
    return size[:d] + (1,) + size[d:], stride[:d] + (own,) + stride[d:]


# %% wrong: list insert
# draws: returned ((1, 2, 3), (14, 7, 2)); expected ((2, 1, 3), (7, 6, 2))
def unsqueeze(size, stride, dim):
    sizes, strides = list(size), list(stride)
    own = size[dim] * stride[dim] if dim < len(size) else 1
    sizes.insert(dim, 1)
    strides.insert(dim, own)
    return tuple(sizes), tuple(strides)


# %% wrong: neighbours stride
# draws: if the new dim takes the stride of the dim to its right
def unsqueeze(size, stride, dim):
    dim = range(len(size) + 1)[dim]
    own = 1 if dim == len(size) else stride[dim]
    return size[:dim] + (1,) + size[dim:], stride[:dim] + (own,) + stride[dim:]


# %% wrong: only nearest outside
# draws: returned ((1, 2, 2), (4, 2, 2)); expected an IndexError
# draws: if a dim that is not there is accepted
def unsqueeze(size, stride, dim):
    r = len(size)
    if dim in (r + 1, -r - 2):
        raise IndexError
    d = dim % (r + 1)
    own = size[d] * stride[d] if d < r else 1
    return size[:d] + (1,) + size[d:], stride[:d] + (own,) + stride[d:]


# %% wrong: refuses the end
# draws: raised IndexError
# draws: nothing stands to the right of the new dim, so its stride is 1
def unsqueeze(size, stride, dim):
    rank = len(size)
    if dim < 0:
        dim += rank + 1
    if dim < 0 or dim >= rank:
        raise IndexError("dim out of range")
    own = size[dim] * stride[dim]
    return size[:dim] + (1,) + size[dim:], stride[:dim] + (own,) + stride[dim:]


# %% wrong: skips ones to the right
# draws: returned ((1, 1, 2), (2, 3, 1)); expected ((1, 1, 2), (3, 3, 1))
def unsqueeze(size, stride, dim):
    d = range(len(size) + 1)[dim]
    k = d
    while k < len(size) - 1 and size[k] == 1:
        k += 1
    own = size[k] * stride[k] if k < len(size) else 1
    return size[:d] + (1,) + size[d:], stride[:d] + (own,) + stride[d:]


# %% wrong: stride one
# draws: if the new stride is 1. It never matters
def unsqueeze(size, stride, dim):
    dim = range(len(size) + 1)[dim]
    return size[:dim] + (1,) + size[dim:], stride[:dim] + (1,) + stride[dim:]


# %% wrong: ten dims at most
# draws: returned ((2, 3, 1, 4, 2, 3, 1, 4, 2, 3, 1, 1), (60, 7, 7, 1, 0, 12, 2, 300, 5, 3, 11, 11)); expected ((2, 3, 1, 4, 2, 3, 1, 4, 2, 3, 1, 1), (60, 7, 7, 1, 0, 12, 2, 300, 5, 3, 11, 1))
def unsqueeze(size, stride, dim):
    r = len(size)
    text = "0123456789"
    d = range(r + 1)[dim]
    if d >= 10:
        d = 10
    own = size[d] * stride[d] if d < r else 1
    return size[:d] + (1,) + size[d:], stride[:d] + (own,) + stride[d:]
