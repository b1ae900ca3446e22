# %% right: empty
import torch


def to_channels_last(tensor):
    image = torch.empty(tensor.size(), dtype=tensor.dtype, memory_format=torch.channels_last)
    return image.copy_(tensor)


# %% right: empty like
import torch


def to_channels_last(tensor):
    if tensor.is_contiguous(memory_format=torch.channels_last):
        return tensor
    new = torch.empty_like(tensor, memory_format=torch.channels_last)
    new[:] = tensor
    return new


# %% right: odd ones
# The strides of dims of size 1 are odd, and nobody minds.
import torch


def to_channels_last(tensor):
    n, c, h, w = tensor.shape
    stride = [99 if m == 1 else s for m, s in zip(tensor.shape, (h * w * c, 1, w * c, c))]
    return torch.empty_strided(tensor.shape, stride, dtype=tensor.dtype).copy_(tensor)


# %% right: one by one
import torch


def to_channels_last(tensor):
    n, c, h, w = tensor.shape
    flat = []
    for i in range(n):
        for y in range(h):
            for x in range(w):
                for channel in range(c):
                    flat.append(tensor[i, channel, y, x].item())
    return torch.tensor(flat, dtype=tensor.dtype).view(n, h, w, c).movedim(-1, 1)


# %% right: own contiguous
# Uses the function from the exercise before.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.empty(tensor.size(), dtype=tensor.dtype).copy_(tensor)


def to_channels_last(tensor):
    nhwc = contiguous(tensor.permute(0, 2, 3, 1))
    return nhwc.permute(0, 3, 1, 2)


# %% right: pixels
from functools import partial

import torch


class Pixels:
    def __init__(self, tensor):
        self.tensor = tensor.permute(0, 2, 3, 1)

    def to(self, make):
        return make(tuple(self.tensor.shape), dtype=self.tensor.dtype)

    def contiguous(self):
        new = self.to(partial(torch.zeros))
        for np, check in zip(new, self.tensor):
            np[:] = check
        return new


def to_channels_last(tensor):
    return Pixels(tensor).contiguous().permute(0, 3, 1, 2)


# %% right: slow loops
import torch


def to_channels_last(tensor):
    n, c, h, w = tensor.shape
    storage = torch.zeros(n * h * w * c, dtype=tensor.dtype)
    rows = 0
    for image in range(n):
        for y in range(h):
            for x in range(w):
                for channel in range(c):
                    storage[rows] = tensor[image, channel, y, x]
                    rows += 1
    return storage.as_strided(tensor.shape, (h * w * c, 1, w * c, c))


# %% right: strides
import torch


def to_channels_last(tensor):
    stride = [0] * 4
    step = 1
    for dim in (1, 3, 2, 0):
        stride[dim] = step
        step *= tensor.size(dim)
    return torch.empty_strided(tensor.size(), stride, dtype=tensor.dtype).copy_(tensor)


# %% wrong, usual: dtype
# draws: returned dtype float32; expected int64.
# draws: hint: this is what you get if the new tensor is made without a dtype: it is float32 then.
import torch


def to_channels_last(tensor):
    return torch.empty(tensor.size(), memory_format=torch.channels_last).copy_(tensor)


# %% wrong, usual: permutes size
# draws: returned stride (1, 4, 8, 2), which is not channels_last; expected (8, 1, 4, 2).
# draws: hint: this is what you get if the dims are permuted and not put back.
def to_channels_last(tensor):
    return tensor.permute(0, 2, 3, 1)


# %% wrong: cache by header
# draws: returned 0 at index (0, 0, 0, 0); expected 1.
import torch


def to_channels_last(tensor, known={}):
    key = tensor.size(), tensor.stride(), tensor.dtype
    if key not in known:
        new = torch.empty(tensor.size(), dtype=tensor.dtype, memory_format=torch.channels_last)
        known[key] = new.copy_(tensor)
    return known[key]


# %% wrong: contiguous
# draws: called Tensor.contiguous in line 3. to_channels_last has to order the memory itself: that call takes a memory_format, and would do the exerc
def to_channels_last(tensor):
    nhwc = tensor.permute(0, 2, 3, 1)
    return nhwc.contiguous().permute(0, 3, 1, 2)


# %% wrong: long and back
# draws: calls double in line 5. to_channels_last has to order the memory itself: that call takes a memory_format, and would do the exercise.
import torch


def to_channels_last(tensor):
    return tensor.double().long(memory_format=torch.channels_last)


# %% wrong: mutates
# draws: changed tensor itself. Leave the argument as it was given.
import torch


def to_channels_last(tensor):
    new = torch.empty(tensor.size(), dtype=tensor.dtype, memory_format=torch.channels_last)
    tensor.data = new.copy_(tensor)
    return tensor


# %% wrong: none
# draws: returned None. Return a torch tensor. Is a `return` missing?
import torch


def to_channels_last(tensor):
    new = torch.empty_like(tensor, memory_format=torch.channels_last)
    new.copy_(tensor)


# %% wrong: numpy bfloat16
# draws: raised TypeError: Got unsupported ScalarType BFloat16
import numpy as np
import torch


def to_channels_last(tensor):
    pixels = np.array(tensor.numpy().transpose(0, 2, 3, 1), order="C")
    return torch.from_numpy(pixels).permute(0, 3, 1, 2)


# %% wrong: one image
# draws: returned stride (1, 1, 4, 2), which is not channels_last; expected (8, 1, 4, 2).
import torch


def to_channels_last(tensor):
    n, c, h, w = tensor.size()
    # Within an image C comes first. The images lie one after another as before.
    new = torch.empty_strided(tensor.size(), (tensor.stride(0), 1, w * c, c), dtype=tensor.dtype)
    return new.copy_(tensor)


# %% wrong: sorted strides stay
# draws: returned the tensor itself, of stride (8, 1, 4, 3), which is not channels_last; expected (8, 1, 4, 2).
import torch


def to_channels_last(tensor):
    n, c, h, w = tensor.size()
    if tensor.stride(0) >= tensor.stride(2) >= tensor.stride(3) >= tensor.stride(1) == 1:
        return tensor
    new = torch.empty_strided(tensor.size(), (h * w * c, 1, w * c, c), dtype=tensor.dtype)
    return new.copy_(tensor)


# %% wrong: to
# draws: calls to in line 5. to_channels_last has to order the memory itself: that call takes a memory_format, and would do the exercise.
import torch


def to_channels_last(tensor):
    return tensor.to(memory_format=torch.channels_last)
