# %% right: counting starts
def sliding_window(size, stride, dim, window, step):
    starts = [i for i in range(0, size[dim], step) if i + window <= size[dim]]
    before, after = slice(None, dim), slice(dim + 1, None)
    new_size = size[before] + (len(starts),) + size[after] + (window,)
    new_stride = stride[before] + (step * stride[dim],) + stride[after] + (stride[dim],)
    return new_size, new_stride


# %% right: lists
def sliding_window(size, stride, dim, window, step):
    size = list(size)
    stride = list(stride)
    size.append(window)
    stride.append(stride[dim])
    size[dim] = (size[dim] - window) // step + 1
    stride[dim] *= step
    return tuple(size), tuple(stride)


# %% right: namedtuple
from typing import NamedTuple


class Header(NamedTuple):
    size: tuple
    stride: tuple


def windows_that_fit(n, window, step):
    if n < window:
        return 0
    return 1 + windows_that_fit(n - step, window, step)


def sliding_window(size, stride, dim, window, step):
    count = windows_that_fit(size[dim], window, step)
    return Header(
        tuple(count if d == dim else n for d, n in enumerate(size)) + (window,),
        tuple(s * step if d == dim else s for d, s in enumerate(stride)) + (stride[dim],),
    )


# %% right: names that hide
def sliding_window(size, stride, dim, window, step):
    def check(rows=range(0, size[dim] - window + 1, step)):
        return len(rows)

    torch, np = [*size], [*stride]
    torch[dim] = check()
    np[dim] *= step
    torch.append(window)
    np.append(stride[dim])
    return (*torch,), (*np,)


# %% right: slow walk
def sliding_window(size, stride, dim, window, step):
    # Walk along the dim, element by element.
    count, next_start = 0, 0
    for i in range(size[dim]):
        fits = all(i + j in range(size[dim]) for j in range(window))
        if i == next_start and fits:
            count += 1
            next_start += step
    hop = sum(stride[dim] for _ in range(step))
    new_size, new_stride = [*size, window], [*stride, stride[dim]]
    new_size[dim], new_stride[dim] = count, hop
    return tuple(new_size), tuple(new_stride)


# %% wrong, usual: off by one
# draws: hint: this is what you get if the first window is forgotten
# draws: rule: 2 windows fit, (6 - 3) // 2 + 1 = 2; the stride of dim 0 is step × stride[0] = 2 × 3 = 6; inside a window, which i
# draws: wrong in size
def sliding_window(size, stride, dim, window, step):
    count = (size[dim] - window) // step
    return (
        size[:dim] + (count,) + size[dim + 1 :] + (window,),
        stride[:dim] + (stride[dim] * step,) + stride[dim + 1 :] + (stride[dim],),
    )


# %% wrong: cache without dim
# draws: returned ((2, 5, 3), (6, 3, 3)); expected ((5, 2, 3), (3, 6, 3)): wrong in size and in stride.
known = {}


def sliding_window(size, stride, dim, window, step):
    key = size, stride, window, step
    if key not in known:
        sizes, strides = list(size), list(stride)
        sizes[dim] = (size[dim] - window) // step + 1
        strides[dim] *= step
        known[key] = (*sizes, window), (*strides, stride[dim])
    return known[key]


# %% wrong: dim of that size
# draws: returned ((2, 5, 3), (6, 3, 3)); expected ((5, 2, 3), (3, 6, 3)): wrong in size and in stride.
def sliding_window(size, stride, dim, window, step):
    n = size[dim]
    count = (n - window) // step + 1
    cut = size.index(n)
    sizes = tuple(count if d == cut else each for d, each in enumerate(size))
    strides = tuple(each * step if d == cut else each for d, each in enumerate(stride))
    return (*sizes, window), (*strides, stride[cut])


# %% wrong: gives up when empty
# draws: returned ((12, 0, 2), (3, 36, 3)); expected ((4, 0, 2), (9, 36, 3))
def sliding_window(size, stride, dim, window, step):
    if 0 in size:
        return (*size, window), (*stride, stride[dim])
    sizes, strides = list(size), list(stride)
    sizes[dim] = (size[dim] - window) // step + 1
    strides[dim] *= step
    return (*sizes, window), (*strides, stride[dim])


# %% wrong: header of three
# draws: a tuple of 3 items. Return the tuple (size, stride)
def sliding_window(size, stride, dim, window, step):
    size, stride = list(size), list(stride)
    size.append(window)
    stride.append(stride[dim])
    size[dim] = (size[dim] - window) // step + 1
    stride[dim] *= step
    return tuple(size), tuple(stride), 0


# %% wrong: loop ends too early
# draws: hint: this is what you get if a window is left out that ends where the dim ends. It fits.
# draws: returned ((1, 3), (6, 3)); expected ((2, 3), (6, 3)): wrong in size.
def sliding_window(size, stride, dim, window, step):
    count = start = 0
    while start + window < size[dim]:
        count += 1
        start += step
    sizes, strides = list(size), list(stride)
    sizes[dim], strides[dim] = count, step * stride[dim]
    return (*sizes, window), (*strides, stride[dim])


# %% wrong: rounds
# draws: hint: this is what you get if a last window is counted that does not fit. Round down.
# draws: returned ((3, 3), (6, 3)); expected ((2, 3), (6, 3)): wrong in size.
def sliding_window(size, stride, dim, window, step):
    sizes, strides = list(size), list(stride)
    sizes[dim] = round((size[dim] - window) / step) + 1
    strides[dim] *= step
    return (*sizes, window), (*strides, stride[dim])


# %% wrong: stride as float
# draws: returned ((4, 2), (27021597764222976, 9007199254740993)); expected ((4, 2), (27021597764222979, 9007199254740993))
def sliding_window(size, stride, dim, window, step):
    count = (size[dim] - window) // step + 1
    hop = int(1.0 * stride[dim] * step)
    return (
        size[:dim] + (count,) + size[dim + 1 :] + (window,),
        stride[:dim] + (hop,) + stride[dim + 1 :] + (stride[dim],),
    )
