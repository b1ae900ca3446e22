"""Views that a header makes impossible, dims and indices that it does not have.

stridekit's own rules are asked: the same call on the same header, without memory. What they refuse
it with is the reason.
"""

import re
from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np
import torch

from stridekit.diagrams import draw_as_strided, draw_resize, draw_view
from stridekit.errors import ArgumentError, DTypeError, NotOfferedError, StridekitError
from stridekit.layouts.broadcasting import ExpandObstacle
from stridekit.layouts.layout import Layout
from stridekit.layouts.view_rule import Obstacle, infer_size
from stridekit.own_code.operations import Operand, Operation
from stridekit.own_code.safe_lookup import Unknown, is_plain_sequence
from stridekit.own_code.shadows import is_tensor
from stridekit.own_code.verdicts import Grounds, family, header, numbers, receiver, rule, tensor_of
from stridekit.own_code.ways_out import WayOut, fitted, swapped, with_keyword, with_name, written
from stridekit.tensors import dtypes
from stridekit.tensors.storage import Storage
from stridekit.tensors.tensor import Tensor

# NumPy's names for what the model has, and torch's others.
_NUMPYS = {
    "transpose": "permute",
    "swapaxes": "transpose",
    "expand_dims": "unsqueeze",
    "squeeze": "squeeze",
    "broadcast_to": "expand",
    "reshape": "reshape",
    "view": "view",
    ".shape=": "view",
    ".dtype=": "view",
}
_OTHER_NAMES = {"broadcast_to": "expand", "swapaxes": "transpose", "swapdims": "transpose"}
_WORDS = {"axis": "dim", "axes": "dims", "shape": "size"}


def _with_dims(operation: Operation, said: "re.Match[str]") -> list[Operand]:
    """A tensor of as many dims as the message says; one less, where a dim is new."""
    new = operation.name in ("unsqueeze", "expand_dims", "stack")
    return [x for x in operation.tensors if len(x.size) + new == int(said["n"])][:1]


for _message in (
    r"range of \[-(?P<n>\d+), \d+\], but got (?P<dim>-?\d+)",
    r"axis (?P<dim>-?\d+) is out of bounds for array of dimension (?P<n>\d+)",
):
    rule(
        _message,
        "",
        "Dims are counted from 0, or from the right from -1: there is no dim {dim} in {n} dims.",
        of=_with_dims,
    )
rule(
    r"axis to squeeze out",
    "squeeze",
    "Only a dim of size 1 can be squeezed out.",
    of=receiver,
)
rule(
    r"index (?P<index>-?\d+) is out of bounds for \w+ (?P<dim>\d+) with size (?P<n>\d+)",
    "[] []= take",
    "Dim {dim} has size {n}, counted from 0, or from -1 at its end: there is no index {index}.",
    of=lambda operation, said: [
        x for x in [operation.receiver] if x.size[int(said["dim"]) :][:1] == (int(said["n"]),)
    ],
)
rule(
    r"too many indices",
    "[] []=",
    "There are more indices than dims.",
    of=receiver,
)


for _message, _names, _clause in (
    (
        r"split_sizes to sum exactly to (?P<n>\d+) .*?(?P<sizes>\[.*\])",
        "split split_with_sizes",
        "The pieces {sizes} must add up to {n}, the size of the dim.",
    ),
    (
        r"non-negative, but got|only non-negative entries",
        "split split_with_sizes",
        "A piece counts indices, so it is not negative.",
    ),
    (
        r"split_size can only be 0 .* of (?P<n>\d+)",
        "split",
        "A dim of size {n} has no pieces of 0.",
    ),
    (
        r"(greater|larger) than 0, got",
        "chunk tensor_split",
        "There is at least 1 piece.",
    ),
    (
        r"along dimension (?P<dim>\d+), .*dimension (?P<n>\d+) is not .* split_size (?P<parts>\d+)",
        "hsplit vsplit dsplit",
        "Size {n} of dim {dim} does not divide into {parts} equal pieces. "
        "tensor_split makes unequal ones.",
    ),
    (
        r"at least (?P<n>\d) dimension|>= (?P<d>\d)-d",
        "hsplit vsplit dsplit fliplr flipud",
        "{name} is for rank {n}{d} or more.",
    ),
    (
        r"rotation dims to be different",
        "rot90",
        "It is turned from one dim to another: give two that differ.",
    ),
    (
        r"last dimension of size 2",
        "view_as_complex",
        "The last dim must have size 2: a real and an imaginary part.",
    ),
    (
        r"sizes must be non-empty",
        "unflatten",
        "No sizes are given. Give one at least.",
    ),
    (
        r"same number of elements",
        "moveaxis",
        "Each dim that moves needs a place of its own: name as many places as dims.",
    ),
    (
        r"repeated (dim|axis) in `(?P<which>source|destination)`",
        "movedim moveaxis",
        "A dim is named twice in the {which}.",
    ),
):
    rule(_message, _names, _clause, of=receiver)
rule(
    r"same number of dimensions",
    "take_along_dim",
    "The tensor and the indices must have the same number of dims.",
)


@family(r"source \((?P<source>.*?) dims\).* destination \((?P<places>.*?) dims\)")
def _places_for_dims(operation: Operation, said: "re.Match[str]") -> Grounds:
    """Dims that are moved to more places, or to fewer, than they are."""
    dims, places = len(numbers(said["source"])), len(numbers(said["places"]))
    clause = f"{dims} dims are to move to {places} places. Name one place for each."
    return Grounds((tensor_of(operation.receiver),), clause)


@family(r"must have a (last dimension with stride 1|stride divisible|storage_offset divisible)",
        "view_as_complex")  # fmt: skip
def _parts_apart(operation: Operation, said: "re.Match[str]") -> Grounds:
    """Parts of complex numbers that do not lie side by side, or not in pairs."""
    x = tensor_of(operation.receiver)
    layout = header(x).layout
    if "stride 1" in said[0]:
        clause = (
            f"Stride[-1] is {layout.stride[-1]}, and the two parts of a complex number lie side "
            "by side."
        )
    else:
        clause = (
            f"Stride {layout.stride} and storage_offset {layout.storage_offset} must be even but "
            "for the last stride, for each complex number takes two elements."
        )
    return Grounds((x,), clause, [swapped(operation, x.node, "{}.contiguous()")])


@family(r"out of bounds for storage of size (?P<storage>\d+)|Negative strides are",
        "as_strided as_strided_ set_")  # fmt: skip
def _outside_of_storage(operation: Operation, said: "re.Match[str]") -> Grounds | None:
    """A header that leaves its storage, or goes backwards."""
    x, first = tensor_of(operation.receiver), operation.name == "set_"
    size, stride = (
        tuple(operation.argument(2 * first + i, w)) for i, w in enumerate(("size", "stride"))
    )
    offset = operation.argument(1 if first else 2, "storage_offset", default=None)
    offset = x.value.storage_offset() if offset is None else offset
    nbytes = int(said["storage"]) if first else header(x).storage_nbytes
    length, layout = nbytes // x.value.element_size(), Layout(size, stride, offset)
    if min(stride) < 0:
        return Grounds((x,), f"Strides {stride} go backwards, and torch has no negative strides.")
    if layout.reach is None or layout.reach[1] < length:
        return None
    steps = " + ".join(f"{n - 1} × {s}" for n, s in zip(size, stride, strict=True))
    clause = (
        f"Size {size}, stride {stride}, storage_offset {offset} reach position {layout.reach[1]} = "
        f"{offset} + {steps}, and the storage ends at {length - 1}."
    )

    def picture(drawn: Any, values: bool) -> Any:
        return draw_as_strided(drawn, size, stride, offset, title=x.name, values=values)

    return Grounds((x,), clause, picture=None if first else picture)


@family(r"rank (?P<rank>\d) tensor to use (?P<format>\w+) format")
def _format_of_another_rank(operation: Operation, said: "re.Match[str]") -> Grounds | None:
    """A memory format that is not for this rank."""
    x = operation.receiver
    letters = "N, C, H, W" if said["rank"] == "4" else "N, C, D, H, W"
    order = f"{said['format']} is an order of {said['rank']} dims ({letters})"
    if x.is_tensor:
        return Grounds(
            (x,),
            f"{order}, with the channels closest together.",
            [swapped(operation, x.node, "{}.unsqueeze(0)")],
        )
    size = numbers(str([a.value for a in (x, *operation.args)]))
    return Grounds((), f"{order}, and a size of {len(size)} was asked for: {size}.", alone=True)


@family(
    r"resize variables that require grad|not resizable|cannot resize", "resize_ resize_as_ resize"
)
def _may_not_grow(operation: Operation, said: "re.Match[str]") -> Grounds | None:
    """A storage that may not grow."""
    x, found = operation.receiver, operation.receiver.found
    size = numbers(str([a.value for a in operation.args]))
    if "require grad" in said.string:
        clause = "It requires grad, and a resize would change its elements behind autograd's back."
        ways = [swapped(operation, tensor_of(x).node, "{}.detach().clone()")]

        def picture(drawn: Any, values: bool) -> Any:
            return draw_resize(drawn, *size, title=x.name, values=values)

        return Grounds((x,), clause, ways, picture if operation.name == "resize_" else None)
    if isinstance(found, torch.Tensor) and not x.is_tensor:
        length = found.untyped_storage().nbytes() // found.element_size()
        clause = (
            f"{operation.name} needs a longer storage than the {length} elements under {x.name}, "
            "and that memory is not torch's to grow: somebody else lends it, such as NumPy. "
            f"Careful: torch has given {x.name} the new size all the same, over the old memory. "
            "Do not read it any more."
        )
        return Grounds((), clause, alone=True)
    why = (
        "others hold it, such as a view" if x.value.flags.owndata else "it belongs to another array"
    )
    clause = f"The memory under it may not be given up for other memory: {why}."
    form = f"np.resize({{0}}, {size[0] if len(size) == 1 else size})"
    return Grounds((x,), clause, [written(operation, form, x)])


# Last: whatever else was refused.


@family(r"")
def _refused_by_rule(operation: Operation, _: "re.Match[str]") -> Grounds | None:
    """What stridekit says to the same call; None where it takes it."""
    x = tensor_of(operation.receiver)
    error = _asked(operation, x)
    if error is None:
        return None
    # The call stands above already, and ways out are to be tried.
    clause = re.sub(r"^\w+(\(.*?\))?( on size .*?\))?: ", "", str(error))
    clause = re.sub(r"(?<=[.]) \w+\(.*?\)[^.]*\.$", "", clause)
    clause = f"{x.name} has size {x.size}. {clause[0].upper()}{clause[1:]}"
    obstacle, picture = getattr(error, "obstacle", None), None
    if isinstance(obstacle, Obstacle):
        size = obstacle.new_size
        clause = (
            f"{x.name} has size {x.size}, stride {header(x).stride}, and is to be viewed as "
            f"{size}: {obstacle.reason}."
        )

        def picture(drawn: Any, values: bool) -> Any:
            return draw_view(drawn, *size, title=x.name, values=values)

    elif isinstance(obstacle, ExpandObstacle):
        wanted = f"is to be expanded to {obstacle.new_size}"
        clause = f"{x.name} has size {x.size}, and {wanted}: {obstacle.reason}."
    if operation.name == "unflatten":
        clause = clause.replace("the tensor", f"dim {operation.argument(0, 'dim')}")
    if operation.name in ("unsqueeze", "expand_dims"):
        clause = clause.replace("in a tensor", "in the new tensor")
    clause = clause.replace("the tensor", "the array") if x.is_array else clause
    return Grounds((x,), clause, _ways(operation, x), picture, alone=True)


def _asked(operation: Operation, x: Operand) -> StridekitError | None:
    """The refusal of stridekit's own operation."""
    name, args = operation.name, [a.value for a in operation.args]
    kwargs = {_WORDS.get(k, k): v.value for k, v in operation.kwargs.items()}
    if x.is_array:
        name = "view" if kwargs.pop("copy", None) is False else _NUMPYS.get(name, "_")
    elif name in ("view_as", "reshape_as", "expand_as"):
        name, args = name.removesuffix("_as"), [args[0].shape]
    name = _OTHER_NAMES.get(name, name)
    if (
        name == "item"
        or name.endswith("_")
        or not (name in ("[]", "unflatten") or hasattr(Tensor, name))
    ):
        return None
    mine = _ours(x.value)
    try:
        if name == "unflatten":
            sizes = operation.argument(1, "sizes", "unflattened_size")
            infer_size(name, x.size[operation.argument(0, "dim")], sizes)
        elif name == "[]":
            mine[_ours(args[0])]
        else:
            getattr(mine, name)(*map(_ours, args), **{k: _ours(v) for k, v in kwargs.items()})
    except (ArgumentError, DTypeError, NotOfferedError):
        return None
    except StridekitError as error:
        # Its traceback leads here, and from here to the tensors.
        return error.with_traceback(None)
    return None


def _ours(x: Any) -> Any:
    """An argument as stridekit's own operations take it; tensors without memory. Raises Unknown."""
    if is_tensor(x):
        theirs = header(Operand("", x))
        if theirs.dtype not in dtypes.BY_NAME or min(theirs.stride, default=0) < 0:
            raise Unknown(theirs)
        # Memory is asked for, and never touched.
        storage = Storage(max(theirs.storage_nbytes, theirs.ends))
        return Tensor(theirs.layout, storage, dtypes.BY_NAME[theirs.dtype])
    if isinstance(x, torch.dtype | np.dtype | type | str):
        name = str(x)[6:] if isinstance(x, torch.dtype) else np.dtype(x).name
        return dtypes.as_dtype(name)
    if is_plain_sequence(x):
        return [_ours(part) for part in x] if isinstance(x, list) else tuple(map(_ours, x))
    return x


def _ways(operation: Operation, x: Operand) -> Iterator[WayOut | None]:
    name, args = operation.name, operation.args
    contiguous = "np.ascontiguousarray({})" if x.is_array else "{}.contiguous()"
    if name in ("view", "view_as") and not isinstance(args and args[0].value, torch.dtype):
        yield with_name(operation, name.replace("view", "reshape"))
    if name == "reshape":
        yield with_keyword(operation, operation.node, "copy", None)
    if name == ".shape=":
        yield written(operation, "{0} = {0}.reshape({1})", x, args[0])
    if name in ("view", "reshape"):
        if len(x.size) > 2 and len(args) == 2:
            yield written(operation, "{0}.flatten(1)", x)
        rest = prod(a.value for a in args[1:] if type(a.value) is int)
        if [type(a.value) for a in args] == [int] or (
            args[1:] and rest and prod(x.size) // rest == x.size[0]
        ):
            # What is along the first dim stays apart.
            yield swapped(operation, args[0].node, "-1")
    if name == "view":
        yield swapped(operation, x.node, contiguous if x.size else "{}.unsqueeze(0)")
    if name == "t":
        yield written(operation, "{0}.transpose(-2, -1)", x)
    if name in ("expand", "expand_as", "broadcast_to"):
        yield from fitted(operation, x)
    if name == "[]":
        keys = args[0].value if isinstance(args[0].value, tuple) else (args[0].value,)
        back = [d for d, k in enumerate(keys) if k != slice(None)]
        if [keys[d] for d in back] == [slice(None, None, -1)]:
            yield written(operation, f"{{0}}.flip({back[0]})", x)
