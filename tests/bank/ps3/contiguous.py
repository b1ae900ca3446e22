# %% right: box
import torch


class Box:
    """Methods of one's own may have any name."""

    def __init__(self, tensor):
        self.tensor = tensor

    def flatten(self):
        return self

    def clone(self):
        return torch.empty(self.tensor.shape, dtype=self.tensor.dtype)

    def to(self, new):
        new[...] = self.tensor
        return new

    def contiguous(self):
        return self.tensor if self.tensor.is_contiguous() else self.to(self.clone())


def contiguous(tensor):
    return Box(tensor).flatten().contiguous()


# %% right: elements
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.tensor(tensor.tolist(), dtype=tensor.dtype).view(tensor.size())


# %% right: empty
import torch


def row_major(tensor):
    if 0 in tensor.shape:
        return True
    expected = 1
    for n, s in reversed([*zip(tensor.shape, tensor.stride())]):
        if n != 1 and s != expected:
            return False
        expected *= n
    return True


def contiguous(tensor):
    if row_major(tensor):
        return tensor
    return torch.empty(tensor.size(), dtype=tensor.dtype).copy_(tensor)


# %% right: empty like format
import torch


def contiguous(tensor):
    if not tensor.is_contiguous():
        old = tensor
        tensor = torch.empty_like(old, memory_format=torch.contiguous_format)
        tensor[...] = old
    return tensor


# %% right: numpy bits
import numpy as np
import torch

# NumPy does not know bfloat16, and knows each of its bits.
BITS = {torch.bfloat16: torch.int16}


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    np_ready = tensor.view(BITS.get(tensor.dtype, tensor.dtype)).numpy()
    return torch.from_numpy(np.array(np_ready, order="C")).view(tensor.dtype)


# %% right: one by one
import torch
from itertools import product


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    result = torch.zeros(*tensor.shape, dtype=tensor.dtype)
    for index in product(*map(range, tensor.shape)):
        result[index] = tensor[index]
    return result


# %% right: ones strided
# The strides of the new tensor's dims of size 1 are odd, and nobody minds.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    stride, step = [], 1
    for n in reversed(tensor.shape):
        stride.insert(0, 77 if n == 1 else step)
        step *= n
    new = torch.empty_strided(tensor.shape, stride, dtype=tensor.dtype)
    new.copy_(tensor)
    return new


# %% right: recursive rows
import torch


def contiguous(tensor):
    def clone(new, old):
        if old.dim() < 2:
            new.copy_(old)
        for to, check in zip(new, old) if old.dim() > 1 else ():
            clone(to, check)
        return new

    if tensor.is_contiguous():
        return tensor
    return clone(torch.empty_like(tensor, memory_format=torch.contiguous_format), tensor)


# %% right: slow items
from itertools import product, repeat

import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    new = torch.zeros(tensor.size(), dtype=tensor.dtype)
    for index, rows in zip(product(*(range(n) for n in tensor.size())), repeat(new)):
        rows[index] = tensor[index]
    return new


# %% right: a method beside one that has a forbidden name
import torch


class Copier:
    def copy(self, tensor):
        out = torch.empty(tensor.shape, dtype=tensor.dtype)
        return out.copy_(tensor)

    def contiguous(self, tensor):
        return tensor if tensor.is_contiguous() else self.copy(tensor)


contiguous = Copier().contiguous


# %% right: room left over
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    room = torch.empty(2**18, dtype=tensor.dtype)
    return room[: tensor.numel()].view(tensor.size()).copy_(tensor)


# %% wrong, usual: always copies
# draws: hint: this is what you get if a contiguous tensor is copied too.
# draws: returned another tensor; expected the tensor itself, which is contiguous already.
import torch


def contiguous(tensor):
    result = torch.empty(tensor.size(), dtype=tensor.dtype)
    return result.copy_(tensor)


# %% wrong, usual: storage order
# draws: hint: this is what you get if the elements are copied in storage order.
# draws: The copy holds the elements in reading order
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    out = torch.empty(tensor.size(), dtype=tensor.dtype)
    out.view(-1)[:] = tensor.as_strided((tensor.numel(),), (1,), 0)
    return out


# %% wrong: by another name
# draws: called Tensor.clone in line 8. contiguous has to do its own copying
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    how = "cl" + "one"
    return getattr(tensor, how)(memory_format=torch.contiguous_format)


# %% wrong: cache by header
# draws: returned 0 at index (0, 0); expected 1.
import torch


def contiguous(tensor, known={}):
    if tensor.is_contiguous():
        return tensor
    key = tensor.size(), tensor.stride(), tensor.dtype
    if key not in known:
        known[key] = torch.empty(tensor.size(), dtype=tensor.dtype).copy_(tensor)
    return known[key]


# %% wrong: calls contiguous
# draws: calls contiguous in line 2. contiguous has to do its own copying: that call would do the exercise.
def contiguous(tensor):
    return tensor.contiguous()


# %% wrong: clone
# draws: calls clone in line 4. contiguous has to do its own copying: that call would do the exercise.
def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return tensor.clone()


# %% wrong: double and back
# draws: calls double in line 7. contiguous has to do its own copying: that call would do the exercise.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return tensor.double().type(tensor.dtype, memory_format=torch.contiguous_format)


# %% wrong: expand copy
# draws: calls torch.expand_copy in line 7. contiguous has to do its own copying: that call would do the exercise.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.expand_copy(tensor, tensor.size())


# %% wrong: flat
# draws: raised RuntimeError: view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). U
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.empty(tensor.numel(), dtype=tensor.dtype).copy_(tensor.view(-1))


# %% wrong: images stay
# draws: returned the tensor itself, of stride (12, 1, 6, 3); expected a copy in row-major order, on a storage of its own.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    if tensor.dim() == 4 and tensor.is_contiguous(memory_format=torch.channels_last):
        return tensor
    return torch.empty(tensor.size(), dtype=tensor.dtype).copy_(tensor)


# %% wrong: index copy
# draws: calls index_copy in line 7. contiguous has to do its own copying: that call would do the exercise.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return tensor.index_copy(0, torch.arange(tensor.size(0)), tensor)


# %% wrong: last stride
# draws: returned the tensor itself, of stride (3, 1); expected a copy in row-major order, on a storage of its own.
import torch


def contiguous(tensor):
    if tensor.numel() < 2 or tensor.stride(-1) == 1:
        return tensor
    if tensor.is_contiguous():
        return tensor
    return torch.empty(tensor.size(), dtype=tensor.dtype).copy_(tensor)


# %% wrong: list
# draws: returned [[0, 2], [1, 3]]. Return a torch tensor.
def contiguous(tensor):
    return tensor if tensor.is_contiguous() else tensor.tolist()


# %% wrong: mutates
# draws: changed tensor itself. Leave the argument as it was given.
import torch


def contiguous(tensor):
    if not tensor.is_contiguous():
        tensor.set_(torch.tensor(tensor.tolist(), dtype=tensor.dtype))
    return tensor


# %% wrong: kept by contents
# draws: returned a tensor on the memory of one that it returned for another call. Called again
import torch

KNOWN = {}


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    key = tensor.dtype, tensor.size(), repr(tensor.tolist())
    if key not in KNOWN:
        KNOWN[key] = torch.empty(tensor.size(), dtype=tensor.dtype).copy_(tensor)
    return KNOWN[key]


# %% wrong: one memory for all
# draws: returned a tensor on the memory of one that it returned for another call. Called again
import torch

MEMORY = torch.empty(200_000, dtype=torch.uint8)
TAKEN = [0]


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    needed = tensor.numel() * tensor.element_size()
    begin = TAKEN[0] if TAKEN[0] + needed < len(MEMORY) else 0
    TAKEN[0] = begin + needed + -needed % 16
    return MEMORY[begin : begin + needed].view(tensor.dtype).view(tensor.size()).copy_(tensor)


# %% wrong: not filled
# draws: returned 0 at index (0, 1); expected 2.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.zeros(tensor.size(), dtype=tensor.dtype)


# %% wrong: numpy bfloat16
# draws: raised TypeError: Got unsupported ScalarType BFloat16
import numpy as np
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.from_numpy(np.array(tensor.numpy(), order="C"))


# %% wrong: only int64
# draws: returned dtype int64; expected
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.zeros(tensor.size(), dtype=torch.int64).copy_(tensor)


# %% wrong: overload
# draws: called torch.ops.aten.clone in line 9. contiguous has to do its own copying
import torch

copy = torch.ops.aten.clone.default


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return copy(tensor, memory_format=torch.contiguous_format)


# %% wrong: reused buffer
# draws: Called again, by itself, it is right, so what it gives depends on other calls.
import torch

BUFFERS = {}


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    key = tensor.size(), tensor.dtype
    if key not in BUFFERS:
        BUFFERS[key] = torch.empty(tensor.size(), dtype=tensor.dtype)
    return BUFFERS[key].copy_(tensor)


# %% wrong: storage as list
# draws: returned 1 at index (0, 1); expected 2.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    # Copies what lies in memory, in the order in which it lies there.
    in_memory = tensor.as_strided((tensor.untyped_storage().nbytes() // 8,), (1,), 0)
    elements = (in_memory.tolist() * tensor.numel())[: tensor.numel()]
    return torch.tensor(elements, dtype=tensor.dtype).view(tensor.size())


# %% wrong: a tensor of the tensor
# draws: hint: this is what you get with empty_like, or with torch.tensor of a tensor
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.tensor(tensor)


# %% wrong: three loops
# draws: returned 0.0 at index (0, 0, 0, 0); expected 5.960464477539063e-08.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    new = torch.zeros(tensor.size(), dtype=tensor.dtype)
    if tensor.dim() == 1:
        for i in range(tensor.size(0)):
            new[i] = tensor[i]
    elif tensor.dim() == 2:
        for i in range(tensor.size(0)):
            for j in range(tensor.size(1)):
                new[i, j] = tensor[i, j]
    elif tensor.dim() == 3:
        for i in range(tensor.size(0)):
            for j in range(tensor.size(1)):
                for k in range(tensor.size(2)):
                    new[i, j, k] = tensor[i, j, k]
    return new


# %% wrong: torch reshape
# draws: calls torch.reshape in line 5. contiguous has to do its own copying: that call would do the exercise.
import torch


def contiguous(tensor):
    return tensor if tensor.is_contiguous() else torch.reshape(tensor, (-1,)).view(tensor.size())


# %% wrong: put
# draws: contiguous calls Tensor.put in line 8. contiguous has to do its own copying
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    first = (0,) * tensor.dim()
    return torch.Tensor.put(tensor, torch.tensor([0]), tensor[first].view(1))


# %% wrong: chunk cat
# draws: contiguous calls torch._chunk_cat in line
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch._chunk_cat([tensor], 0, 1).view(tensor.shape)


# %% wrong: flattened with others
# draws: contiguous calls torch._flatten_dense_tensors in line
from torch._utils import _flatten_dense_tensors


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return _flatten_dense_tensors([tensor]).view(tensor.shape)


# %% wrong: nested
# draws: contiguous calls torch.nested_tensor in line
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.nested.nested_tensor([tensor]).unbind()[0]

# %% wrong: adds the real parts
# draws: returned infj at index (0, 1); expected (-0+infj)
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    copy = torch.zeros(tensor.size(), dtype=tensor.dtype)
    if not tensor.is_complex():
        return copy.copy_(tensor)
    parts = torch.view_as_real(copy)
    # 0.0 + -0.0 is 0.0.
    parts[..., 0] += torch.view_as_real(tensor)[..., 0]
    parts[..., 1] = torch.view_as_real(tensor)[..., 1]
    return copy
