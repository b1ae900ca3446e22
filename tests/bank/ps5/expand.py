# %% right: from the right
def expand(size, stride, new_size):
    if len(new_size) < len(size):
        raise ValueError("expand cannot drop dims")
    result = []
    last_size, last_stride = 1, 0
    for k in range(1, len(new_size) + 1):
        want = new_size[-k]
        if k <= len(size):
            have, step = size[-k], stride[-k]
            if want == -1:
                want = have
        else:
            have, step = 1, last_size * last_stride
        if want < 0:
            raise ValueError("negative")
        if want != have:
            if have != 1:
                raise ValueError(f"{have} cannot become {want}")
            step = 0
        result.append(step)
        last_size, last_stride = want, step
    return tuple(result[::-1])


# %% right: names that hide
def expand(size, stride, new_size):
    np = len(new_size) - len(size)
    if np < 0:
        raise ValueError("too short")
    torch, check = [], 0
    for rows, storage in enumerate(new_size[::-1]):
        if rows < len(size):
            n, step = size[~rows], stride[~rows]
            draw = n if storage == -1 else storage
        else:
            n, step, draw = 1, check, storage
        if draw != n:
            if n - 1 or draw < 0:
                raise ValueError(f"{n} to {draw}")
            step = 0
        torch.append(step)
        check = draw * step
    torch.reverse()
    return tuple(torch)


# %% right: recursive
def expand(size, stride, new_size):
    match size, new_size:
        case (_, ()) if size:
            raise ValueError("too few sizes")
        case ((*_, n), (*_, m)):
            if m not in (-1, n) and (n != 1 or m < 0):
                raise ValueError(f"{n} to {m}")
            here = (stride[-1] if m in (-1, n) else 0,)
            if len(size) == 1:
                m = n if m == -1 else m
                return leading(new_size[:-1], m * here[0]) + here
            return expand(size[:-1], stride[:-1], new_size[:-1]) + here


def leading(sizes, step):
    if not sizes:
        return ()
    if sizes[-1] < 0:
        raise ValueError("new dims need a size")
    return leading(sizes[:-1], step if sizes[-1] == 1 else 0) + (step if sizes[-1] == 1 else 0,)


# %% right: two passes
def resolve(size, new_size):
    lead = len(new_size) - len(size)
    if lead < 0:
        raise ValueError
    own = tuple(n if m == -1 else m for n, m in zip(size, new_size[lead:]))
    full = new_size[:lead] + own
    if any(m < 0 for m in full) or any(n not in (1, m) for n, m in zip(size, own)):
        raise ValueError
    return full


def expand(size, stride, new_size):
    full = resolve(size, new_size)
    lead = len(full) - len(size)
    steps = [s if n == m else 0 for n, s, m in zip(size, stride, full[lead:])]
    for n in reversed(full[:lead]):
        steps.insert(0, steps[0] * full[len(full) - len(steps)] if n == 1 else 0)
    return tuple(steps)


# %% right: unsqueeze class
class Tensor:
    def __init__(self, size, stride):
        self.size, self.stride = size, stride

    def unsqueeze(self):
        return Tensor((1, *self.size), (self.size[0] * self.stride[0], *self.stride))

    def repeat(self, dim, n):
        if n in (-1, self.size[dim]):
            return self
        if self.size[dim] != 1 or n < 0:
            raise ValueError(f"{self.size[dim]} cannot become {n}")
        return Tensor(
            (*self.size[:dim], n, *self.size[dim + 1 :]),
            (*self.stride[:dim], 0, *self.stride[dim + 1 :]),
        )


def expand(size, stride, new_size):
    new_dims = len(new_size) - len(size)
    if new_dims < 0 or min(new_size[:new_dims], default=0) < 0:
        raise ValueError(new_size)
    tensor = Tensor(size, stride)
    for dim, n in enumerate(new_size[new_dims:]):
        tensor = tensor.repeat(dim, n)
    for n in reversed(new_size[:new_dims]):
        tensor = tensor.unsqueeze().repeat(0, n)
    return tensor.stride


# %% wrong, usual: keeps stride
# draws: hint: this is what you get if a repeated dim keeps its stride
# draws: goes from size 1 to
def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0:
        raise ValueError
    steps = []
    for n, s, m in zip(size, stride, new_size[lead:]):
        if m != -1 and m != n and (n != 1 or m < 0):
            raise ValueError
        steps.append(s)
    for m in new_size[:lead]:
        if m < 0:
            raise ValueError
        steps.insert(0, 0)
    return tuple(steps)


# %% wrong: cache without stride
# draws: returned (3,); expected (2,).
known = {}


def expand(size, stride, new_size):
    if (size, new_size) in known:
        return known[size, new_size]
    lead = len(new_size) - len(size)
    if lead < 0:
        raise ValueError("too short")
    steps, right = [], 0
    for dim in reversed(range(len(new_size))):
        n, step = (size[dim - lead], stride[dim - lead]) if dim >= lead else (1, right)
        wanted = n if new_size[dim] == -1 and dim >= lead else new_size[dim]
        if wanted != n:
            if n != 1 or wanted < 0:
                raise ValueError("no fit")
            step = 0
        steps.append(step)
        right = wanted * step
    known[size, new_size] = tuple(steps[::-1])
    return known[size, new_size]


# %% wrong: compares with is
# draws: raised ValueError: 300 to 300, in line 13 (`raise ValueError(f"{n} to {wanted}")`); expected (2,).
def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0:
        raise ValueError("dims would be lost")
    result, right = [], 0
    for dim in range(len(new_size) - 1, -1, -1):
        wanted = new_size[dim]
        n, step = (size[dim - lead], stride[dim - lead]) if dim >= lead else (1, right)
        if dim >= lead and wanted == -1:
            wanted = n
        if wanted is not n:
            if n != 1 or wanted < 0:
                raise ValueError(f"{n} to {wanted}")
            step = 0
        result.insert(0, step)
        right = wanted * step
    return tuple(result)


# %% wrong: header
# draws: Return a tuple of ints; one item is
def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0 or any(m < 0 for m in new_size[:lead]):
        raise ValueError
    sizes, steps = [], []
    for n, s, m in zip(size, stride, new_size[lead:]):
        if m not in (-1, n) and (n != 1 or m < 0):
            raise ValueError
        sizes.append(n if m == -1 else m)
        steps.append(s if m in (-1, n) else 0)
    for m in reversed(new_size[:lead]):
        steps.insert(0, sizes[0] * steps[0] if m == 1 else 0)
        sizes.insert(0, m)
    return tuple(sizes), tuple(steps)


# %% wrong: minus one for new
# draws: expected a ValueError, because dim 0 is new, so -1 cannot stand for its size
# draws: new dims stand at the left, have a size of 0 or more, and none is dropped.
def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0:
        raise ValueError
    size = (1,) * lead + size
    steps = list((None,) * lead + stride)
    full = tuple(n if m == -1 else m for n, m in zip(size, new_size))
    for d in reversed(range(len(full))):
        if full[d] < 0 or size[d] not in (1, full[d]):
            raise ValueError
        if d < lead:
            steps[d] = full[d + 1] * steps[d + 1]
        if size[d] != full[d]:
            steps[d] = 0
    return tuple(steps)


# %% wrong: negative keeps
# draws: hint: this is what you get if each negative size keeps the size that is there. Only -1 does, and only for a dim that is there.
# draws: returned (3,); expected a ValueError, because size -2 is negative.
def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0:
        raise ValueError("too short")
    result = []
    below = 0
    for dim in reversed(range(len(new_size))):
        own = dim >= lead
        n, step = (size[dim - lead], stride[dim - lead]) if own else (1, below)
        wanted = n if own and new_size[dim] < 0 else new_size[dim]
        if wanted != n:
            if n != 1 or wanted < 0:
                raise ValueError("no fit")
            step = 0
        below = wanted * step
        result.append(step)
    return tuple(result[::-1])


# %% wrong: new dims row major
# draws: returned (2, 0); expected (0, 0).
from math import prod


def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0 or -1 in new_size[:lead]:
        raise ValueError("no")
    sizes = list(new_size)
    result = [0] * lead
    for n, step, wanted in zip(size, stride, new_size[lead:]):
        if wanted not in (-1, n) and n != 1:
            raise ValueError("no")
        sizes[len(result)] = n if wanted == -1 else wanted
        result.append(step if wanted in (-1, n) else 0)
    if min(sizes) < 0:
        raise ValueError("no")
    for dim in range(lead):
        if sizes[dim] == 1:
            result[dim] = prod(sizes[dim + 1 :])
    return tuple(result)


# %% wrong: two new dims at most
# draws: returned (0, 1, 1, 1, 0); expected (1, 1, 1, 1, 0).
def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0 or any(n < 0 for n in new_size[:lead]):
        raise ValueError("no")
    result, kept = [], []
    for n, step, wanted in zip(size, stride, new_size[lead:]):
        if wanted not in (-1, n) and (n != 1 or wanted < 0):
            raise ValueError("no")
        result.append(step if wanted in (-1, n) else 0)
        kept.append(n if wanted == -1 else wanted)
    if lead == 0:
        return tuple(result)
    near = kept[0] * result[0] if new_size[lead - 1] == 1 else 0
    if lead == 1:
        return (near, *result)
    far = new_size[lead - 1] * near if new_size[lead - 2] == 1 else 0
    return (*[0] * (lead - 2), far, near, *result)


# %% wrong: zero is not a target
# draws: raised ValueError: 1 cannot become 0, in line 16 (`raise ValueError(f"{n} cannot become {m}")`); expected (0, 0).
# draws: dim 1 goes from size 1 to 0, and gets stride 0
def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0:
        raise ValueError
    steps, right = [], 0
    for d in reversed(range(len(new_size))):
        m = new_size[d]
        if d >= lead:
            n, step = size[d - lead], stride[d - lead]
            if m == -1:
                m = n
        else:
            n, step = 1, right
        if m != n:
            if n != 1 or m < 1:
                raise ValueError(f"{n} cannot become {m}")
            step = 0
        steps.append(step)
        right = m * step
    return tuple(steps[::-1])
