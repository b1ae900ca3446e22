"""Views that a header makes impossible, dims and indices that it does not have.

stridekit's own rules are asked: the same call on the same header, without memory. What they refuse
it with is the reason.
"""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from stridekit.diagrams import draw_as_strided, draw_resize, draw_view
from stridekit.errors import StridekitError
from stridekit.layouts.broadcasting import ExpandObstacle
from stridekit.layouts.layout import Layout
from stridekit.layouts.view_rule import Obstacle
from stridekit.own_code.operations import Operand, Operation
from stridekit.own_code.safe_lookup import Unknown, is_plain_sequence
from stridekit.own_code.verdicts import Told, family, header, numbers, tensor_of
from stridekit.own_code.ways_out import WayOut, with_name, with_ones, with_operand, written
from stridekit.tensors import dtypes
from stridekit.tensors.storage import Storage
from stridekit.tensors.tensor import Tensor

# What torch calls otherwise than NumPy.
_TORCHS = {
    **{"transpose": "permute", "expand_dims": "unsqueeze", "moveaxis": "movedim"},
    **{"broadcast_to": "expand", ".shape=": "view", ".dtype=": "view"},
    **{"axis": "dim", "axes": "dims", "shape": "size"},
}


@family(
    r"view size is not|is invalid for input of|one dimension can be inferred|cannot reshape|multiply up"
    r"|to view \w+ as|cannot be 0 to view|expanded size of|sizes provided|dimensions in the tensor input"
    r"|duplicate dims|t\(\) expects|\) exceeds dimension|maximum size for|expects split_sizes|chunk expects"
    r"|repeat dims|Invalid source or dest|dimensions cannot be identical|step must be|Tensor must have a"
    r"|out of range|axes don't match|repeated axis|to squeeze out|creating a copy while resh|non-negative"
    r"|Incompatible shape|change to a dtype|changing to a|remapped shapes|operand has more dim|start_dim"
)
def _refused_by_rule(operation: Operation, _: "re.Match[str]") -> Told | None:
    """What stridekit says to the same call; None where it takes it."""
    x = tensor_of(operation.receiver)
    error = _asked(operation, x)
    if error is None:
        return None
    obstacle = getattr(error, "obstacle", None)
    # The call stands above already.
    said = re.sub(r"^\w+(\(.*?\))?( on size .*?\))?: ", "", str(error))
    # And the ways out are to be tried.
    said = re.sub(r"(?<=[.]) \w+\(.*?\)[^.]*\.$", "", said)
    clause, picture, alone = f"{said[0].upper()}{said[1:]}", None, False
    if operation.name == "unflatten":
        clause = clause.replace("the tensor", f"dim {operation.argument(0, 'dim')}")
    if operation.name in ("unsqueeze", "expand_dims"):
        clause = clause.replace("in a tensor", "in the new tensor")
    if isinstance(obstacle, Obstacle):
        size = obstacle.new_size
        clause = f"{x.name} has size {x.size}, stride {header(x).stride}, and "
        clause += f"is to be viewed as {size}: {obstacle.reason}."
        alone = True

        def picture(drawn: Any, values: bool) -> Any:
            return draw_view(drawn, *size, title=x.name, values=values)

    elif isinstance(obstacle, ExpandObstacle):
        clause = f"It is to be expanded to {obstacle.new_size}: {obstacle.reason}."
    clause = clause.replace("the tensor", "the array") if x.is_array else clause
    return Told((x,), clause, _ways(operation, x), picture, alone)


def _asked(operation: Operation, x: Operand) -> StridekitError | None:
    """The refusal of stridekit's own operation."""
    name, args = operation.name, [a.value for a in operation.args]
    kwargs = {k: v.value for k, v in operation.kwargs.items()}
    if x.is_array:
        name = "view" if kwargs.pop("copy", None) is False else _TORCHS.get(name, name)
    mine = _without_memory(header(x))
    try:
        if name == "[]":
            mine[_ours(args[0])]
        elif hasattr(Tensor, name) and not name.endswith("_"):
            ours = {_TORCHS.get(k, k): _ours(v) for k, v in kwargs.items()}
            getattr(mine, name)(*map(_ours, args), **ours)
    except StridekitError as error:
        return error
    except (TypeError, AttributeError):
        # Something that stridekit does not know, such as an argument of NumPy alone.
        return None
    return None


def _without_memory(x: Any) -> Tensor:
    """A tensor of stridekit under a header. Memory is asked for, and never touched."""
    dtype = dtypes.BY_NAME.get(x.dtype)
    if dtype is None or min(x.stride, default=0) < 0:
        raise Unknown(x)
    return Tensor(x.layout, Storage(max(x.storage_nbytes, x.ends)), dtype)


def _ours(x: Any) -> Any:
    """An argument as stridekit's own operations take it. Raises Unknown."""
    if isinstance(x, torch.Tensor):
        return _without_memory(header(Operand("", x)))
    if isinstance(x, torch.dtype):
        return dtypes.as_dtype(str(x).removeprefix("torch."))
    if isinstance(x, type | np.dtype):
        return dtypes.as_dtype(np.dtype(x).name)
    if is_plain_sequence(x):
        return [_ours(part) for part in x] if isinstance(x, list) else tuple(map(_ours, x))
    return x


def _ways(operation: Operation, x: Operand) -> Iterator[WayOut | None]:
    name, args = operation.name, operation.args
    if name in ("view", "view_as") and not x.is_array:
        if not (args and isinstance(args[0].value, torch.dtype)):
            yield with_name(operation, name.replace("view", "reshape"))
    if x.is_array and "copy" in operation.kwargs:
        yield with_name(operation, "reshape", drop="copy")
    if name == ".shape=":
        yield written("{0} = {0}.reshape({1})", x, args[0])
    if name in ("view", "reshape"):
        if len(x.size) > 2 and len(args) == 2:
            yield written("{}.flatten(1)", x)
        if args and all(type(a.value) is int and a.value != -1 for a in args):
            yield with_operand(operation, args[0], "-1")
    if name == "view" and not x.size:
        yield with_operand(operation, x, "{}.unsqueeze(0)")
    if name in ("view", "view_as_complex"):
        yield with_operand(
            operation, x, "np.ascontiguousarray({})" if x.is_array else "{}.contiguous()"
        )
    if name == "t":
        yield written("{}.transpose(-2, -1)", x)
    if name == "permute" and len(args) == 2:
        yield with_name(operation, "transpose")
    if name in ("expand", "expand_as", "broadcast_to"):
        yield from with_ones(operation, x)
    if name == "[]":
        keys = args[0].value if isinstance(args[0].value, tuple) else (args[0].value,)
        back = [d for d, k in enumerate(keys) if k != slice(None)]
        if len(back) == 1 and keys[back[0]] == slice(None, None, -1):
            yield written(f"{{}}.flip({back[0]})", x)


@family(r"(?:range of \[-(?P<ndim>\d+), \d+\], but got (?P<dim>-?\d+))")
@family(r"axis (?P<dim>-?\d+) is out of bounds for array of dimension (?P<ndim>\d+)")
def _no_such_dim(operation: Operation, said: "re.Match[str]") -> Told | None:
    """A dim that a tensor does not have, where the rules have no such operation."""
    n = int(said["ndim"])
    new = operation.name in ("unsqueeze", "expand_dims", "stack")
    for x in operation.tensors:
        if len(x.size) + new == n:
            dims = (
                f"Its dims are 0 to {n - 1}, or from the right -{n} to -1"
                if n > 1
                else "It has dim 0 alone"
            )
            clause = f"{dims}: there is no dim {said['dim']}."
            return Told((x,), clause.replace("Its", "The new") if new else clause)
    return None


@family(r"axis to squeeze out")
def _no_dim_of_size_1(operation: Operation, _: "re.Match[str]") -> Told | None:
    """A dim that is to be squeezed out, and holds more than one element."""
    x = tensor_of(operation.receiver)
    dim = operation.argument(0, "axis")
    if type(dim) is not int or x.size[dim] == 1:
        return None
    return Told(
        (x,), f"Only a dim of size 1 can be squeezed out, and dim {dim} has size {x.size[dim]}."
    )


@family(r"index (?P<index>-?\d+) is out of bounds for \w+ (?P<dim>\d+) with size (?P<size>\d+)",
        "[] []= take")  # fmt: skip
def _out_of_range(operation: Operation, said: "re.Match[str]") -> Told | None:
    """An index outside of its dim."""
    dim, n = int(said["dim"]), int(said["size"])
    x = tensor_of(operation.receiver)
    if x.size[dim : dim + 1] != (n,):
        return None
    clause = f"Dim {dim} has size {n}: its indices are 0 to {n - 1}, or -{n} to -1 from the end."
    return Told((x,), f"{clause} There is no index {said['index']}.")


@family(r"too many indices", "[] []=")
def _too_many_indices(operation: Operation, _: "re.Match[str]") -> Told | None:
    """More indices than dims."""
    x, keys = tensor_of(operation.receiver), operation.args[0].value
    count = sum(k is not None and k is not Ellipsis for k in keys) if type(keys) is tuple else 1
    if count <= len(x.size):
        return None
    return Told((x,), f"It has {len(x.size)} dims, and {count} indices are given.")


@family(r"out of bounds for storage of size (?P<storage>\d+)|Negative strides are",
        "as_strided as_strided_ set_")  # fmt: skip
def _outside_of_storage(operation: Operation, said: "re.Match[str]") -> Told | None:
    """A header that leaves its storage, or goes backwards."""
    x = tensor_of(operation.receiver)
    if operation.name == "set_":
        offset, size, stride = (operation.argument(i) for i in (1, 2, 3))
        length = int(said["storage"]) // x.value.element_size()
    else:
        size, stride = operation.argument(0, "size"), operation.argument(1, "stride")
        offset = operation.argument(2, "storage_offset", default=None)
        offset = x.value.storage_offset() if offset is None else offset
        length = header(x).storage_nbytes // x.value.element_size()
    size, stride = tuple(size), tuple(stride)
    layout = Layout(size, stride, offset)
    if layout.reach is None:
        return None
    if min(stride) < 0:
        return Told((x,), f"Strides {stride} go backwards, and torch has no negative strides.")
    last = layout.reach[1]
    if last < length:
        return None
    steps = " + ".join(f"{n - 1} × {s}" for n, s in zip(size, stride, strict=True))
    clause = (
        f"Size {size}, stride {stride}, storage_offset {offset} reach position {last} = {offset} + "
        f"{steps}, and the storage ends at {length - 1}."
    )

    def picture(drawn: Any, values: bool) -> Any:
        return draw_as_strided(drawn, size, stride, offset, title=x.name, values=values)

    return Told((x,), clause, picture=None if operation.name == "set_" else picture)


@family(r"rank (?P<rank>\d) tensor to use (?P<format>\w+) format")
def _format_of_another_rank(operation: Operation, said: "re.Match[str]") -> Told | None:
    """A memory format that is not for this rank."""
    rank, x = int(said["rank"]), operation.receiver
    letters = "N, C, H, W" if rank == 4 else "N, C, D, H, W"
    order = f"{said['format']} is an order of {rank} dims ({letters}), with the channels closest together"
    if not x.is_tensor:
        size = numbers(str([a.value for a in (x, *operation.args)]))
        return Told((), f"{order}, and a size of {len(size)} was asked for: {size}.", alone=True)
    if len(x.size) == rank:
        return None
    return Told((x,), f"{order}.", [with_operand(operation, x, "{}.unsqueeze(0)")])


@family(
    r"resize variables that require grad|not resizable|cannot resize", "resize_ resize_as_ resize"
)
def _may_not_grow(operation: Operation, said: "re.Match[str]") -> Told | None:
    """A storage that may not grow."""
    x, found = operation.receiver, operation.receiver.found
    if not x.is_tensor and isinstance(found, torch.Tensor):
        length = found.untyped_storage().nbytes() // found.element_size()
        clause = (
            f"{operation.name} needs a longer storage than the {length} elements under {x.name}, and "
            "that memory is not torch's to grow: somebody else lends it, such as NumPy. Careful: torch "
            f"has given {x.name} the new size all the same, over the old memory. Do not read it any more."
        )
        return Told((), clause, alone=True)
    size = numbers(str([a.value for a in operation.args]))
    if "require grad" in said.string:
        clause = "It requires grad, and a resize would change which elements it has behind autograd's back."
        ways = [with_operand(operation, tensor_of(x), "{}.detach().clone()")]

        def picture(drawn: Any, values: bool) -> Any:
            return draw_resize(drawn, *size, title=x.name, values=values)

        return Told((x,), clause, ways, picture if operation.name == "resize_" else None)
    if not x.is_array:
        return None
    why = (
        "others hold it, such as a view" if x.value.flags.owndata else "it belongs to another array"
    )
    clause = f"The memory under it may not be given up for other memory: {why}."
    return Told(
        (x,), clause, [written(f"np.resize({{}}, {size[0] if len(size) == 1 else size})", x)]
    )
