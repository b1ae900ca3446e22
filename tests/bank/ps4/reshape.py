# %% right: copy by index
import torch


def has_view(tensor, new_size):
    if tensor.numel() == 0:
        return True
    cuts, inner = set(), 1
    right = None
    for d in reversed(range(tensor.dim())):
        if tensor.size(d) == 1:
            continue
        if right is not None and tensor.stride(d) != right:
            cuts.add(inner)
        inner *= tensor.size(d)
        right = tensor.size(d) * tensor.stride(d)
    inner = 1
    for n in reversed(new_size):
        inner *= n
        cuts.discard(inner)
    return not cuts


def reshape(tensor, new_size):
    if has_view(tensor, new_size):
        return tensor.view(*new_size) if new_size else tensor.squeeze()
    copy = torch.empty(new_size, dtype=tensor.dtype)
    copy.view(tensor.size()).copy_(tensor)
    return copy


# %% right: slow as strided
from itertools import product

import torch


def places(size, stride):
    return [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]


def reshape(tensor, new_size):
    order = places(tensor.shape, tensor.stride())
    if not order:
        return tensor.new_empty(new_size)
    guess, inner = [], 1
    for n in new_size[::-1]:
        guess.insert(0, order[inner] if n > 1 else 0)
        inner *= n
    if places(new_size, guess) == order:
        return torch.as_strided(tensor, new_size, guess, tensor.storage_offset())
    values = [tensor[index].item() for index in product(*map(range, tensor.shape))]
    return torch.tensor(values, dtype=tensor.dtype).view(new_size)


# %% right: slow items
import torch


def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        pass

    def items(x, ix=()):
        if len(ix) == x.dim():
            yield x[ix].item()
            return
        for i in range(x.shape[len(ix)]):
            yield from items(x, ix + (i,))
    return torch.tensor([*items(tensor)], dtype=tensor.dtype).view(new_size)


# %% right: slow loops
from itertools import product
import torch


def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        pass
    out = torch.empty(new_size, dtype=tensor.dtype)
    for a, b in zip(product(*map(range, tensor.shape)), product(*map(range, new_size))):
        out[b] = tensor[a]
    return out


# %% right: stack
from itertools import product

import torch


def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        elements = [tensor[index] for index in product(*map(range, tensor.shape))]
        return torch.stack(elements).view(new_size)


# %% right: tolist
import torch


def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        return torch.tensor(tensor.tolist(), dtype=tensor.dtype).view(new_size)


# %% right: try
def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        return tensor.contiguous().view(new_size)


# %% wrong, usual: always copies
# draws: returned a copy; expected a view
# draws: hint: this is what you get if every tensor is copied
def reshape(tensor, new_size):
    return tensor.clone().contiguous().view(new_size)


# %% wrong: aten overload
# draws: called torch.ops.aten.reshape
import torch


def reshape(tensor, new_size):
    return torch.ops.aten.reshape.default(tensor, new_size)


# %% wrong: always a new tensor
# draws: hint: this is what you get if every tensor is copied.
import torch


def reshape(tensor, new_size):
    copy = torch.empty(tensor.size(), dtype=tensor.dtype)
    return copy.copy_(tensor).view(new_size)


# %% wrong: cached copy
# draws: returned dtype int64; expected complex64.
from itertools import pairwise
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


def has_view(tensor, n):
    return can_view(tuple(tensor.shape), tensor.stride(), n)


known = {}


def reshape(tensor, new_size):
    key = (tuple(tensor.shape), tensor.stride(), new_size)
    if key in known and (not has_view(tensor, new_size)):
        return known[key]
    r = tensor.view(new_size) if has_view(tensor, new_size) else tensor.contiguous().view(new_size)
    known[key] = r
    return r


# %% wrong: calls flatten
# draws: flatten
# draws: that call chooses
def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        return tensor.flatten().view(new_size)


# %% wrong: calls reshape
# draws: reshape calls Tensor.reshape
# draws: that call chooses
import torch


def reshape(tensor, new_size):
    return torch.Tensor.reshape(tensor, new_size)


# %% wrong: cat keeps channels_last
# draws: raised RuntimeError: view size is not compatible
# draws: in line 8 (`return torch.cat([tensor]).view(new_size)`)
import torch


def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        return torch.cat([tensor]).view(new_size)


# %% wrong: clone keeps strides
# draws: raised RuntimeError: view size is not compatible with input tensor's size and stride (at
# draws: hint: this is what you get from clone. It may keep the strides
from itertools import pairwise
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


def has_view(tensor, n):
    return can_view(tuple(tensor.shape), tensor.stride(), n)


def reshape(tensor, new_size):
    if has_view(tensor, new_size):
        return tensor.view(new_size)
    return tensor.clone().view(new_size)


# %% wrong: dtype
# draws: returned dtype float32; expected int64
import torch


def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        out = torch.empty(new_size)
        out.view(tensor.shape).copy_(tensor)
        return out


# %% wrong: empty as it was
# draws: returned size (10, 0, 0); expected (10, 0, 1).
from itertools import pairwise
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


def has_view(tensor, n):
    return can_view(tuple(tensor.shape), tensor.stride(), n)


def reshape(tensor, new_size):
    if tensor.numel() == 0:
        return tensor
    return tensor.view(new_size) if has_view(tensor, new_size) else tensor.contiguous().view(new_size)


# %% wrong: list
# draws: Return a torch tensor
def reshape(tensor, new_size):
    return tensor.contiguous().view(new_size).tolist()


# %% wrong: module that flattens
# draws: called Tensor.flatten
import torch


def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        return torch.nn.Flatten(0)(tensor).view(new_size)


# %% wrong: no return
# draws: returned None. Return a torch tensor. Is a `return` missing?
from itertools import pairwise
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


def has_view(tensor, n):
    return can_view(tuple(tensor.shape), tensor.stride(), n)


def reshape(tensor, new_size):
    if not has_view(tensor, new_size):
        tensor = tensor.contiguous()
    tensor.view(new_size)


# %% wrong: numpy reshape
# draws: called numpy.ndarray.reshape
import torch


def reshape(tensor, new_size):
    return torch.from_numpy(tensor.numpy().reshape(new_size))


# %% wrong: offset lost
# draws: reshape(tensor, (4,)), with tensor of size (4,), stride (2,), storage_offset 2, returned 0 at
# draws: hint: this is what you get if the view begins at position 0
from itertools import pairwise
import math
import torch


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


def has_view(tensor, n):
    return can_view(tuple(tensor.shape), tensor.stride(), n)


def reshape(tensor, new_size):
    if has_view(tensor, new_size):
        e = torch.empty(tensor.shape).as_strided
        v = tensor.view(new_size)
        return tensor.as_strided(v.size(), v.stride(), 0)
    return tensor.contiguous().view(new_size)


# %% wrong: real part
# draws: returned (inf+0j) at index (0,); expected (inf+nanj).
def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        values = tensor.real if tensor.is_complex() else tensor
        return values.contiguous().view(new_size).to(tensor.dtype)


# %% wrong: resizes in place
# draws: changed tensor itself
def reshape(tensor, new_size):
    return tensor.resize_(new_size)


# %% wrong: row major strides
# draws: on the tensor's own storage; expected a copy
# draws: rule: no view is possible, so the elements are copied in the tensor's reading order
import torch


def reshape(tensor, new_size):
    try:
        return tensor.view(new_size)
    except RuntimeError:
        stride, step = [], 1
        for n in reversed(new_size):
            stride.insert(0, step)
            step *= n
        return torch.as_strided(tensor, new_size, stride)


# %% wrong: shared buffer
# draws: Called again, by itself, it is right, so what it gives depends on other calls.
from itertools import pairwise
import math
import torch


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


def has_view(tensor, n):
    return can_view(tuple(tensor.shape), tensor.stride(), n)


buffer = torch.empty(200, dtype=torch.int64)


def reshape(tensor, new_size):
    if has_view(tensor, new_size):
        return tensor.view(new_size)
    if tensor.dtype != torch.int64:
        return tensor.contiguous().view(new_size)
    b = buffer[:tensor.numel()].view(tensor.shape)
    b.copy_(tensor)
    return b.view(new_size)


# %% wrong: through float64
# draws: returned -9223372036854775808 at index (0,); expected 9223372036854775807.
# draws: hint: this is what you get if the values pass through float64 on the way
from itertools import pairwise
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


def has_view(tensor, n):
    return can_view(tuple(tensor.shape), tensor.stride(), n)


def reshape(tensor, new_size):
    if has_view(tensor, new_size):
        return tensor.view(new_size)
    return tensor.double().contiguous().view(new_size).to(tensor.dtype)


# %% wrong: verdict remembered
# draws: raised RuntimeError: view size is not compatible
seen = {}


def has_view(tensor, new_size):
    try:
        tensor.view(new_size)
    except RuntimeError:
        return False
    return True


def reshape(tensor, new_size):
    key = tuple(tensor.shape), new_size
    if key not in seen:
        seen[key] = has_view(tensor, new_size)
    if seen[key]:
        return tensor.view(new_size)
    return tensor.contiguous().view(new_size)


# %% wrong: view cloned
# draws: returned a copy; expected a view
def reshape(tensor, new_size):
    try:
        return tensor.view(new_size).clone()
    except RuntimeError:
        return tensor.contiguous().view(new_size)
