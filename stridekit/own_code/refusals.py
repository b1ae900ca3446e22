"""Sizes that do not fit each other, and memory that is not written to, or not shared."""

import ast
import re
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from stridekit.layouts.broadcasting import Misfit, broadcast_sizes
from stridekit.layouts.layout import Ints
from stridekit.own_code.operations import Operand, Operation, Unknown
from stridekit.own_code.shadows import PRODUCTS, layout_of
from stridekit.own_code.verdicts import SIZE, Grounds, RuleBook, Said, numbers
from stridekit.own_code.ways_out import given_in

RULES = RuleBook()
_PRODUCTS = " ".join((*PRODUCTS, "cdist", "tensordot"))
_ATTENTION = "scaled_dot_product_attention"


# Sizes that broadcast: to each other, or to what is written.


def _misfit(message: str, xs: list[Operand], into: Ints | None = None) -> str:
    """Where sizes do not broadcast to each other, or into one. Raises Unknown where they do.

    So it does where the message speaks of other numbers.
    """
    outcome = broadcast_sizes(*([into] if into else []), *(x.size for x in xs))
    if isinstance(outcome, Misfit):
        _, place, first, second = outcome
        told = {first, second}
        clause = f"aligned at the right, dim -{place} is {first} in one and {second} in another, "
        clause += "where they must be equal, or one of them 1."
    elif into in (None, outcome):
        raise Unknown
    else:
        told, clause = {*outcome}, f"together they are of size {outcome}."
    if not told <= {1, *numbers(message)}:
        raise Unknown
    return clause


@RULES.on(r"of tensor a \(\d+\) must match|expanded size of|dimensions of batch2", _ATTENTION)
def _attention(operation: Operation, said: Said) -> Grounds:
    """A mask that does not fit the scores, or queries and keys that have no scores."""
    q, k = operation.tensor(0, "query"), operation.tensor(1, "key")
    batch = broadcast_sizes(q.size[:-2], k.size[:-2])
    if isinstance(batch, Misfit) or q.size[-1] != k.size[-1]:
        clause = "The last dims of queries and keys must be equal, and all but the last two "
        return Grounds((q, k), f"{clause}broadcast.", ("enable_gqa=True",))
    scores, mask = (*batch, q.size[-2], k.size[-2]), operation.tensor(3, "attn_mask")
    clause = f"The mask has to broadcast to the scores, of size {scores}, a row for each query: "
    clause += _misfit(said.string, [mask], scores)
    missing = len(scores) - len(mask.size)
    spread = (*mask.size[:1], *(1,) * missing, *mask.size[1:])
    fits = broadcast_sizes(spread, scores) == scores
    return Grounds((mask, q, k), clause, (f"0 {{}}[:{', None' * missing}]",) if fits else ())


@RULES.on(
    r"of tensor a \(\d+\) must match|match the broadcast shape|expanded.*Target sizes: (SIZE)"
    r"|(?:operands|objects) c\w+ (?:not )?be broadcast|size=(SIZE)\): the number of sizes"
    r"|indexing result of shape (SIZE)|from shape SIZE into shape (SIZE)|to the (\d+) output values"
)
def _not_broadcast(operation: Operation, said: Said) -> Grounds | None:
    """Tensors do not broadcast to each other, or what is written not to where it goes."""
    into = next((numbers(group) for group in said.groups() if group), None)
    target, xs = operation.target, [x for x in operation.tensors if x.size]
    expanding = ("expand", "expand_as", "broadcast_to")
    others = expanding if into and target is None else ("einsum", *_PRODUCTS.split())
    if operation.name.rstrip("_") in others:
        return None
    if into and target is None:
        named = [numbers(text) for text in re.findall(SIZE, said.string)]
        xs = [x for x in xs if x.size in named and broadcast_sizes(x.size, into) != into][:1]
        clause = f"It is to be expanded to {into}: "
        return Grounds((xs[0],), clause + _misfit(said.string, xs, into))
    if target is None:
        clause = _misfit(said.string, xs)
        short, long = (0, 1) if len(xs[0].size) < len(xs[-1].size) else (1, 0)
        forms = [f"{short} keepdim=True", f"{short} keepdims=True"]
        forms += [f"{short} broadcast", f"{long} broadcast"]
        return Grounds((*xs,), clause[0].upper() + clause[1:], forms if len(xs) == 2 else ())
    own = target.size if target.is_tensor else into
    given = operation.args[2 if operation.name == "[]=" else 0 :]
    xs = [x for x in (*given, *operation.kwargs.values()) if x.text != target.text]
    xs = [x for x in xs if (x.is_tensor or type(x.value) in (list, tuple)) and x.size]
    clause = f"{target.name} keeps its size {own}, and what is written is expanded to it: "
    forms = ["1 broadcast", "out of place"]
    if operation.name == "[]=" and xs[-1].size == operation.args[0].size:
        forms = [f"1 {{}}[{operation.args[1].text}]", *forms]
    shown = (target if target.is_tensor else operation.args[0], xs[-1])
    return Grounds(shown, clause + _misfit(said.string, xs, own), forms)


# Products.


@RULES.on(
    r"cannot be multiplied|batch2|size mismatch|tensor size|core dim|not aligned|remapped shapes"
    r"|dimensions need to match|for sum|number of columns|must match the|same reduction dim",
    _PRODUCTS,
)
def _no_product(operation: Operation, _: Said) -> Grounds | None:
    """Two sizes that have no product."""
    name = operation.name.rstrip("_")
    first = 1 if name in ("addmm", "baddbmm") else 0
    a, b = operation.tensor(first), operation.tensor(first + 1, "weight")
    meets, where = -2, "the last dim but one"
    if name in ("inner", "linear", "cdist") or len(b.size) == 1:
        meets, where = -1, "the last dim"
    elif name == "tensordot":
        meets, where = 0, "dim 0"
    who = f"{operation.module} multiplies" if operation.module else "A product goes"
    clause = f"{who} along the last dim of {a.name} and {where} of {b.name}"
    if a.size[-1] != b.size[meets]:
        forms = ["0 {}.flatten(1)"] if name == "linear" else []
        forms += ["1 turn"] if a.size[-1] in b.size[-2:] else []
        forms += ["0 turn"] if b.size[meets] in a.size[-2:] else []
        return Grounds((a, b), f"{clause}: {a.size[-1]} is not {b.size[meets]}.", tuple(forms))
    if name.endswith("bmm") and a.size[0] != b.size[0]:
        clause += f", one matrix after another: {a.size[0]} is not {b.size[0]}."
    elif isinstance(broadcast_sizes(a.size[:-2], b.size[:-2]), Misfit):
        clause += ", and all dims but the last two broadcast: those do not."
    else:
        return None
    return Grounds((a, b), clause)


@RULES.on(r"einsum|einstein|remapped shapes|subscript", "einsum")
def _einsum(operation: Operation, _: Said) -> Grounds | None:
    """A letter that stands for two sizes, or letters that are not as many as dims."""
    terms = operation.value(0).replace(" ", "").split("->")[0].split(",")
    sizes: dict[str, tuple[int, Operand]] = {}
    for term, x in zip(terms, operation.tensors, strict=True):
        head, dots, tail = term.partition("...")
        if len(head + tail) != len(x.size) and not dots:
            return Grounds((x,), f"{term} names {len(term)} dims, and it has {len(x.size)}.")
        ahead, behind = zip(head, x.size, strict=False), zip(tail[::-1], x.size[::-1], strict=False)
        for letter, n in (*ahead, *behind):
            m, other = sizes.setdefault(letter, (n, x))
            if n != m and 1 not in (n, m):
                clause = f"is {m} in {other.name} and {n} in {x.name}."
                return Grounds((other, x), f"{letter} stands for one size, and {clause}")
    return None


@RULES.on(r"range of|out of bounds", "cat concatenate append")
def _joined_with_less(operation: Operation, _: Said) -> Grounds | None:
    """What is joined along a dim that the first does not have, and another has."""
    xs = tuple({len(x.size): x for x in operation.tensors[::-1]}.values())[:2]
    clause = f"{operation.name} joins what has the same number of dims."
    return Grounds(xs[::-1], clause, ("fit",)) if len(xs) == 2 else None


@RULES.on(r"index (-?\d+) is out of bounds for \w+ (\d+) with size (\d+)")
def _no_index(operation: Operation, said: Said) -> Grounds | None:
    """An index that a dim does not have. Where several are given, torch counts dims otherwise."""
    index, dim, n = map(int, said.groups())
    xs = operation.tensors[:3]
    if not xs and not operation.is_known:
        return None
    along = "What it counts along" if xs and xs[0].size[dim : dim + 1] != (n,) else f"Dim {dim}"
    clause = f"{along} has size {n}, counted from 0, or from -1 at its end: there is no index "
    return Grounds((*xs,), f"{clause}{index}.")


@RULES.on(r"values to unpack \(expected(?: at least)? (\d+)", "unpack")
def _unpacked(operation: Operation, said: Said) -> Grounds:
    """A size that goes into more or fewer names than it has numbers."""
    x = operation.tensor(0)
    clause = f"Its size has {len(x.size)} numbers, one for each dim, and there are {said[1]} names."
    return Grounds((x,), clause)


@RULES.on(
    r"invalid combination|must be (?:tuple of )?ints?\b|takes \d positional|(?:an|of) integer",
    "view reshape expand repeat tile zeros ones empty rand randn permute split chunk broadcast_to",
)
def _no_whole_number(operation: Operation, _: Said) -> Grounds:
    """A float in a size, as `n / 2` is."""
    nodes = (y for x in given_in(operation) for y in getattr(x, "elts", [x]))
    parts = map(operation.site.operand, filter(None, nodes))
    x = next(x for x in parts if type(x.value) in (float, np.float64))
    clause = f"A size is made of whole numbers, and {x.name} is a float: {x.value}."
    return Grounds((x,), clause, ("int({})",), alone=True)


# Memory that is written to, or that is shared.


def _target(operation: Operation) -> Operand:
    """What is written to: the tensor, or what it is an item of. Raises Unknown."""
    target = operation.target
    return target if target is not None and target.is_tensor else operation.tensor(0)


@RULES.on(r"more than one element of the written-to tensor")
def _overlapping(operation: Operation, _: Said) -> Grounds:
    """Elements that share memory are not written to (ATen/MemoryOverlap.cpp)."""
    x = _target(operation)
    layout = layout_of(x.value)
    dims = zip(range(layout.ndim), layout.size, layout.stride, strict=True)
    dim, n = next((dim, n) for dim, n, step in dims if n > 1 and step == 0)
    clause = f"It is written to, and has stride {layout.stride}: along dim {dim} the stride is 0, "
    clause += f"and all {n} elements are one in memory, which cannot take several values."
    return Grounds((x,), clause, ("own",))


@RULES.on(r"some elements of the input tensor and the written-to")
def _shifted(operation: Operation, _: Said) -> Grounds:
    """A tensor is not written to while a shifted view of it is read."""
    x, others = _target(operation), [y for y in operation.tensors if not y.is_array]
    memory = x.value.untyped_storage()._cdata
    others = [y for y in others if y.value.untyped_storage()._cdata == memory]
    # Of `x[1:] = x[:-1]`, what is read is at its right.
    own = {x.text, *(y.text for y in operation.args[:1] if operation.name == "[]=")}
    others = [y for y in others if y.text not in own]
    clause = f"{others[0].name} is read while {x.name} is written to, and the two share some of "
    clause += "their memory, shifted: what is written here would be read there."
    return Grounds((x, others[0]), clause, ("1 {}.clone()",))


@RULES.on(r"is read-only")
def _read_only(operation: Operation, _: Said) -> Grounds | None:
    """An array that may not be written to."""
    x = _target(operation)
    x = x if x.is_array else operation.tensor(0)
    if not x.is_array or x.value.flags.writeable:
        return None
    clause, array = "It cannot be written to: its flag writeable is off", x.value
    if array.size and any(n > 1 and not s for n, s in zip(array.shape, array.strides, strict=True)):
        clause = f"It cannot be written to: its byte_strides are {array.strides}, and a stride of 0"
        clause += " repeats one element"
    elif array.base is not None:
        clause += ", or the owner of that memory made it read-only"
    return Grounds((x,), f"{clause}.", ("own",))


@RULES.on(r"a leaf Variable that requires grad is being used in an in-place")
def _leaf(operation: Operation, _: Said) -> Grounds:
    """What autograd starts from: its values, or its header, as of `w.t_()`."""
    clause = (
        "It is changed in place, and it is a leaf that requires grad, or lies in one: autograd "
    )
    clause += "starts from it as it is. Under torch.no_grad() it may be changed."
    return Grounds((_target(operation),), clause)


@RULES.on(r"result type (\w+) can't be cast to the desired output type")
@RULES.on(r"Cannot cast ufunc '\w+' output from dtype\('(\w+)'\)")
def _another_dtype(operation: Operation, said: Said) -> Grounds:
    """A result that does not go into memory of its target's dtype."""
    x, kind = _target(operation), getattr(torch, f"{said[1]}Tensor", None)
    result = str(kind.dtype).removeprefix("torch.") if kind else said[1]
    if x.dtype == result:
        raise Unknown
    clause = f"Its memory holds {x.dtype}, and the result is {result}: written in place it would "
    clause += f"have to become {x.dtype}, which loses what {result} can say."
    return Grounds((x,), clause, ("out of place",))


# Why `numpy()` gives no array, and what helps (torch/csrc/utils/tensor_numpy.cpp).
_NO_ARRAY = (
    (".detach()", lambda x: x.requires_grad,
     "{0} requires grad: what is written through the array, autograd would not see"),
    (".resolve_conj()", lambda x: x.is_conj(),
     "{0} is a lazy conjugate: its memory holds other values than it shows"),
    (".resolve_neg()", lambda x: x.is_neg(),
     "{0} is a lazy negative: its memory holds other signs than it shows"),
    (".cpu()", lambda x: x.device.type not in ("cpu", "meta"),
     "that memory lies on another device, where NumPy cannot read it"),
    (".float()", lambda x: str(x.dtype).startswith(("torch.bfloat16", "torch.float8")),
     "NumPy has no {1}, so nothing there could read those bytes"),
    ("", lambda x: x.device.type == "meta",
     "{0} is a header without memory: there is nothing to share"),
)  # fmt: skip


@RULES.on(r"call numpy\(\) on Tensor|to numpy|ScalarType")
def _no_array(operation: Operation, _: Said) -> Grounds:
    """Memory that `numpy()` cannot share."""
    given = (*operation.args, *operation.kwargs.values())
    if operation.is_inside or operation.name[0] == "?":
        nodes = (n for n in ast.walk(operation.node) if isinstance(n, ast.Name))
        given += tuple(map(operation.site.operand, nodes))
    refused: dict[str, tuple[Operand, Operand, list[Any]]] = {}
    for whole in given:
        for x in whole.parts:
            if not x.is_tensor or x.is_array:
                continue
            real = x.value if x.found is None else x.found
            rows = [row for row in _NO_ARRAY if row[1](real)]
            # A shadow always lies on the meta device.
            rows = rows if x.found is not None else [row for row in rows if row[0]] or rows
            if rows:
                refused.setdefault(x.text, (x, whole, rows))
    x, whole, rows = next(iter(refused.values()))
    helps, why = "".join(row[0] for row in rows), rows[0][2].format(x.name, x.dtype)
    sentence = f"NumPy would get an array on the memory of {x.name}, and {why}."
    arrays = tuple(y for y in operation.args if y.is_array)
    if arrays and isinstance(operation.node, ast.BinOp):
        return Grounds((x, *arrays), sentence, ("1 torch.from_numpy({})",), alone=True)
    form = f"{{}}{helps}" if x is whole else f"torch.stack({{}}){helps}"
    forms = (form, f"{form}.numpy()") if all(row[0] for row in rows) else ()
    one = len({id(each[1].value) for each in refused.values()}) == 1
    return Grounds((replace(x, node=whole.node),), sentence, forms if one else (), alone=True)


@RULES.on(r"given numpy array|np.ndarray of type", "from_numpy as_tensor tensor")
def _no_tensor(operation: Operation, _: Said) -> Grounds | None:
    """An array whose memory `from_numpy` cannot share (torch/csrc/utils/tensor_numpy.cpp)."""
    x = operation.tensor(0)
    steps, dtype, form = x.value.strides, x.value.dtype, "{}.copy()"
    back = [dim for dim, step in enumerate(steps) if step < 0]
    if back:
        clause = f"It has byte_strides {steps}: along dim {back[0]} it goes backwards through "
        clause += "memory, and torch has no negative strides."
    elif any(step % dtype.itemsize for step in steps):
        clause = f"It has byte_strides {steps}, no multiples of its itemsize {dtype.itemsize}, "
        clause += "and torch counts in elements."
    elif not dtype.isnative:
        form = f"{{}}.astype('{dtype.str[1:]}')"
        clause = f"Its dtype is {dtype.str}: its bytes are in the order of another machine."
    else:
        return Grounds((x,), f"Its dtype is {dtype}, which is none of torch's.")
    return Grounds((x,), clause, (form,))


@RULES.on(r"Invalid shape (SIZE) for image data")
def _no_image(operation: Operation, said: Said) -> Grounds:
    """Channels that are not the last dim."""
    x = next(x for x in operation.tensors if x.size == numbers(said[1]))
    form = "{}.transpose(1, 2, 0)" if x.is_array else "{}.permute(1, 2, 0)"
    forms = {1: ("{}[0]",), 3: (form,), 4: (form,)}.get(x.size[0]) if len(x.size) == 3 else ()
    clause = "An image has rows and columns, and then perhaps 3 or 4 colours as its last dim."
    return Grounds((x,), clause, forms or ())


@RULES.on(r"buffer size must be|buffer is smaller|buffer is too small|buffer length")
def _too_few_bytes(operation: Operation, _: Said) -> Grounds:
    """A buffer that is not as long as what it is to hold."""
    first, source = operation.args[0], operation.operand(0, "buffer")
    assert source is not None
    sized = first is not source
    dtype: Any = operation.value(99 if sized else 1, "dtype", default=float)
    itemsize = dtype.itemsize if isinstance(dtype, torch.dtype) else np.dtype(dtype).itemsize
    count = int(np.prod(first.value)) if sized else operation.value(2, "count", default=0)
    wanted = f"{count} elements of {itemsize} bytes each" if count else ""
    wanted = wanted or f"whole elements of {itemsize} bytes"
    held = memoryview(source.value).nbytes
    clause = f"{source.name} holds {held} bytes, and {wanted} were asked for."
    return Grounds((), clause, alone=True)
