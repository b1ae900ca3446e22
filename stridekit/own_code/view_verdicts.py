"""Views that strides, sizes or a storage make impossible, and storages that may not grow.

Each takes the operation and the message of the refusal, and gives the reason; or None where
headers do not bear it out. Raises Unknown where a tensor cannot be found.
"""

import re
from math import prod

import numpy as np
import torch

from stridekit.diagrams import draw_as_strided, draw_resize, draw_view
from stridekit.errors import SizeError, ViewError
from stridekit.layouts.layout import Layout
from stridekit.layouts.view_rule import Obstacle, infer_size, plan_view, view_dtype
from stridekit.own_code.operations import Operand, Operation
from stridekit.own_code.reasons import Reason
from stridekit.own_code.safe_lookup import Unknown
from stridekit.own_code.verdict_parts import (
    drawn,
    itemsize,
    layout_of,
    new_size,
    receiver,
    sizes_in,
    spell,
)


def view_refused(operation: Operation, _: str) -> Reason | None:
    """Why a view of another size is impossible, and where its seam is."""
    if operation.name not in ("view", "view_as", "unflatten", ".shape=", "reshape"):
        return None
    x = receiver(operation)
    layout = layout_of(x)
    size = new_size(operation, layout)
    plan = plan_view(layout, size)
    if not isinstance(plan, Obstacle):
        return None
    sentence = plan.message
    if operation.name in (".shape=", "reshape"):
        sentence = (
            f"{operation.text} asks for a view of size {layout.size}, stride {layout.stride}: "
            f"{plan.reason}. reshape, without copy=False, copies instead."
        )
    return drawn(
        operation,
        sentence,
        lambda values: draw_view(operation.drawable(x), *size, title=x.text, values=values),
        x,
    )


def wrong_number_refused(operation: Operation, message: str) -> Reason | None:
    """Why a size does not hold the elements that there are."""
    if operation.name not in ("view", "view_as", "reshape", "reshape_as", "unflatten", ".shape="):
        return None
    if operation.receiver is None:
        x, args = operation.args[0], operation.args[1:]
        operation = Operation(
            operation.name, operation.text, operation.shadows, x, args, operation.kwargs
        )
    x = receiver(operation)
    layout = layout_of(x)
    told = re.search(r"of size (\d+)", message)
    if told is not None and int(told[1]) != layout.numel and operation.name != "unflatten":
        # Torch speaks of another tensor than the one that was found.
        return None
    if operation.name == "unflatten":
        return _unflatten_refused(operation, x, layout)
    try:
        infer_size(operation.name.strip(".="), layout.numel, new_size(operation, layout))
    except SizeError as error:
        sentence = str(error)
        if type(x.value) is np.ndarray:
            sentence = sentence.replace("the tensor has", "the array has")
        return drawn(operation, sentence, None, x)
    return None


def _unflatten_refused(operation: Operation, x: Operand, layout: Layout) -> Reason | None:
    dim = operation.argument(0, "dim") % layout.ndim
    sizes, n = sizes_in([operation.argument(1, "sizes")]), layout.size[dim]
    known = prod(each for each in sizes if each != -1)
    if -1 in sizes and known and n % known:
        said = f"does not divide by {known}, the product of the sizes but -1"
    elif -1 not in sizes and known != n:
        said = f"is not {known}, the product of the sizes"
    else:
        return None
    sentence = f"unflatten makes {sizes} of dim {dim}: its size is {n}, which {said}."
    return drawn(operation, sentence, None, x)


def view_dtype_refused(operation: Operation, _: str) -> Reason | None:
    """Why the same bytes cannot be read as elements of another size."""
    x = receiver(operation)
    if operation.name != "view":
        return None
    dtype = operation.argument(0, "dtype")
    old = itemsize(x)
    new = dtype.itemsize if isinstance(dtype, torch.dtype) else np.dtype(dtype).itemsize
    try:
        view_dtype(layout_of(x), old, new)
    except ViewError as error:
        sentence = str(error)
        if type(x.value) is np.ndarray:
            sentence = sentence.replace("contiguous() puts", "np.ascontiguousarray puts")
        return drawn(operation, sentence, None, x)
    return None


def as_strided_refused(operation: Operation, _: str) -> Reason | None:
    """Why a header leaves its storage."""
    if operation.name not in ("as_strided", "as_strided_"):
        return None
    x = operation.receiver or operation.args[0]
    skip = 0 if operation.receiver else 1
    if not isinstance(x.value, torch.Tensor):
        raise Unknown(x.text)
    size = sizes_in([operation.argument(skip, "size")])
    stride = sizes_in([operation.argument(skip + 1, "stride")])
    offset = operation.argument(skip + 2, "storage_offset", None)
    if offset is None:
        offset = x.value.storage_offset()
    layout = Layout(size, stride, offset)
    length = x.value.untyped_storage().nbytes() // x.value.element_size()
    reach = layout.reach
    if reach is None:
        return None
    if min(stride) < 0:
        sentence = f"strides {stride} go backwards, and torch has no negative strides. flip copies."
    elif reach[1] >= length:
        sentence = (
            f"size {size}, stride {stride}, storage_offset {offset} reach position {reach[1]}, and "
            f"the storage under {x.name} ends at {length - 1}: {reach[1]} = {offset} + "
            + " + ".join(f"{n - 1} × {s}" for n, s in zip(size, stride, strict=True))
            + ". Choose a smaller size, or smaller strides."
        )
    else:
        return None
    return drawn(
        operation,
        sentence,
        lambda values: draw_as_strided(
            operation.drawable(x), size, stride, offset, title=x.text, values=values
        ),
        x,
    )


def memory_format_refused(operation: Operation, message: str) -> Reason | None:
    """Why a memory format is not for this rank."""
    wanted = re.search(r"rank (\d) tensor to use (\w+) format", message)
    if wanted is None:
        return None
    rank, name = int(wanted[1]), wanted[2]
    letters = "N, C, H, W" if rank == 4 else "N, C, D, H, W"
    tensors = operation.tensors
    if not tensors:
        asked = sizes_in([a.value for a in operation.args])
        sentence = (
            f"{name} is an order of {rank} dims ({letters}), and a size of {len(asked)} was asked "
            f"for: {asked}."
        )
        return Reason(operation.text, sentence)
    x = tensors[0]
    size = tuple(x.value.shape)
    if len(size) == rank:
        return None
    way_out = "unsqueeze(0) adds N" if len(size) == rank - 1 else "Give it that rank first"
    sentence = (
        f"{name} is an order of {rank} dims ({letters}), with the channels closest together, and "
        f"{x.name} has {len(size)}: size {size}. {way_out}."
    )
    return drawn(operation, sentence, None, x)


def resize_refused(operation: Operation, message: str) -> Reason | None:
    """Why a storage may not grow."""
    if operation.name not in ("resize_", "resize_as_", "resize"):
        return None
    x = receiver(operation)
    size = (
        tuple(operation.argument(0, "other").shape)
        if operation.name == "resize_as_"
        else sizes_in([a.value for a in operation.args])
    )
    if "require grad" in message:
        sentence = (
            f"{x.name} requires grad, and resize_ would change which elements it has behind "
            f"autograd's back. {x.then('detach().clone()')} is a tensor that can be resized."
        )
    else:
        outgrown = operation.shadows.outgrown(x.value)
        nbytes = x.value.untyped_storage().nbytes() if outgrown is None else outgrown
        length = nbytes // x.value.element_size()
        sentence = (
            f"resize_({spell(size)}) needs a longer storage than the {length} elements under "
            f"{x.name}, and that memory is not torch's to grow: somebody else lends it, such as "
            f"NumPy. {x.then('clone()')} has memory that can grow."
        )
        if outgrown is not None:
            sentence += (
                f" Careful: torch has given {x.name} the new size all the same, over the old "
                "memory. Do not read it any more."
            )
            return Reason(operation.text, sentence)
    return drawn(
        operation,
        sentence,
        lambda values: draw_resize(operation.drawable(x), *size, title=x.text, values=values),
        x,
    )
