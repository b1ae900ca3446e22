"""Sizes that do not fit each other, and memory that is not written to, or not shared."""

import ast
import re
from dataclasses import replace
from typing import Any

import torch
from torch import nn

from stridekit.layouts.broadcasting import Misfit, broadcast_sizes
from stridekit.layouts.layout import Ints
from stridekit.own_code.operations import (
    Operand,
    Operation,
    Unknown,
    around,
    is_a,
    is_plain_sequence,
)
from stridekit.own_code.performing import PRODUCTS
from stridekit.own_code.reading import operation_at
from stridekit.own_code.verdicts import SIZE, Grounds, RuleBook, Said, numbers

RULES = RuleBook()
_PRODUCTS = " ".join((*PRODUCTS, "cdist", "tensordot"))


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


@RULES.on(
    r"of tensor a \(\d+\) must match|expanded size of|attn_mask dtype to be.*(?:int|char) and",
    "scaled_dot_product_attention",
)
def _attention(operation: Operation, said: Said) -> Grounds | None:
    """A mask that does not fit the scores, or of whole numbers."""
    q, k, mask = operation.tensor(0), operation.tensor(1, "key"), operation.tensor(3, "attn_mask")
    if "dtype" in said[0]:
        clause = "A mask is of bool, where True takes part, or of floats, added to the scores."
        return Grounds((mask, q), clause, ("0 {}.bool()",))
    batch = broadcast_sizes(q.size[:-2], k.size[:-2])
    if isinstance(batch, Misfit):
        return None
    scores = (*batch, q.size[-2], k.size[-2])
    clause = f"The mask has to broadcast to the scores, of size {scores}, a row for each query: "
    clause += _misfit(said.string, [mask], scores)
    form = f"0 {{}}[:{', None' * (len(scores) - len(mask.size))}]"
    return Grounds((mask, q, k), clause, (form,))


@RULES.on(
    r"of tensor a \(\d+\) must match|match the broadcast shape|expanded.*Target sizes: (SIZE)"
    r"|(?:operands|objects) c\w+ (?:not )?be broadcast (?!.*remapped)|size=(SIZE)\): the number of"
    r"|indexing result of shape (SIZE)|from shape SIZE into shape (SIZE)|to the (\d+) output values"
)
def _not_broadcast(operation: Operation, said: Said) -> Grounds | None:
    """Tensors do not broadcast to each other, or what is written not to where it goes."""
    into = next((numbers(group) for group in said.groups() if group), None)
    named = [numbers(text) for text in re.findall(SIZE, said.string)]
    target, xs = operation.target, [x for x in operation.tensors if x.size]
    expanding = ("expand", "expand_as", "broadcast_to")
    others = expanding if into and target is None else ("einsum", *_PRODUCTS.split())
    if operation.name.rstrip("_") in others:
        return None
    if into and target is None:
        xs = [x for x in xs if x.size in named and broadcast_sizes(x.size, into) != into][:1]
        clause = f"It is to be expanded to {into}: "
        return Grounds((xs[0],), clause + _misfit(said.string, xs, into))
    forms: list[str] = []
    if target is None:
        clause = _misfit(said.string, xs)
        clause = clause[0].upper() + clause[1:]
    else:
        own = target.size if target.is_tensor else into
        given = operation.args[2 if operation.name == "[]=" else 0 :]
        xs = [x for x in (*given, *operation.kwargs.values()) if x.text != target.text]
        xs = [x for x in xs if (x.is_tensor or type(x.value) in (list, tuple)) and x.size]
        xs = [x for x in xs if x.size in named] or xs
        clause = f"{target.name} keeps its size {own}, and what is written is expanded to it: "
        clause += _misfit(said.string, xs, own)
        if operation.name == "[]=" and xs[-1].size == operation.args[0].size:
            forms = [f"1 {{}}[{operation.args[1].text}]"]
        xs = [target if target.is_tensor else operation.args[0], xs[-1]]
    # What is made of the other in the same line, such as its mean, keeps its dims.
    parts = [(at, ast.walk(x.node or ast.Pass())) for at, x in enumerate(xs[:2])]
    inner = [at for at, each in parts if xs[1 - at].text in map(ast.unparse, each)]
    inner = [at for at in inner if len(xs[at].size) < len(xs[1 - at].size)]
    forms += [f"{at} {kept}=True" for at in inner for kept in ("keepdim", "keepdims")]
    return Grounds((*xs,), clause, forms)


# Products.


@RULES.on(
    r"cannot be multiplied|batch2 tensor|size mismatch|tensor size|core dim|not aligned|for sum"
    r"|remapped shapes|dimensions need to match|number of columns|must match the|reduction dim",
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
    what = "A distance" if name == "cdist" else "A product"
    who = f"{operation.module} multiplies" if operation.module else f"{what} goes"
    clause = f"{who} along the last dim of {a.name} and {where} of {b.name}"
    if a.size[-1] != b.size[meets]:
        forms = ["0 {}.flatten(1)"] if name == "linear" else []
        return Grounds((a, b), f"{clause}: {a.size[-1]} is not {b.size[meets]}.", forms)
    if name.endswith("bmm") and a.size[0] != b.size[0]:
        clause += f", one matrix after another: {a.size[0]} is not {b.size[0]}."
    elif isinstance(broadcast_sizes(a.size[:-2], b.size[:-2]), Misfit):
        clause += ", and all dims but the last two broadcast: those do not."
    else:
        return None
    return Grounds((a, b), clause)


@RULES.on(
    r"must be Tensor, not|(?:operand|between inst).*(?:Tensor|return_types|'tuple)|by non-int"
    r"|(?:'tuple|return_types\.\w+)' object has no attribute '(?!to'|cpu|cuda|clone|detach)(\w+)'"
    r"|^tuple indices must be|concatenate tuple"
)
def _several(operation: Operation, said: Said) -> Grounds:
    """Several tensors in place of one, such as a layer gives with its state."""
    is_tensors = hasattr(torch.Tensor, said[1] or "view")
    x = next(x for x in operation.args if is_tensors and x.parts != [x])
    tensors = {n: replace(y, node=x.node) for n, y in enumerate(x.parts) if y.is_tensor}
    who = operation.module or operation.name.strip("?") or "what follows"
    many = len(tensors) > 1 or any(map(is_plain_sequence, x.value))
    what = "of several tensors" if many else "with one tensor in it"
    clause = f"{x.name} is a {type(x.value).__name__} {what}, and {who} takes one here."
    # Where a list is multiplied, none of its tensors is meant alone.
    is_whole = type(x.value) is list and isinstance(operation.node, ast.BinOp)
    is_whole |= isinstance(x.node, ast.List | ast.Tuple)
    # Of equals, such as chunks, none is meant before the others.
    sizes = {y.size for y in tensors.values()}
    is_whole |= type(x.value) is tuple and len(tensors) > len(sizes) == 1
    return Grounds((*tensors.values(),), clause, () if is_whole else (f"{{}}[{min(tensors)}]",))


@RULES.on(r"too many indices|invalid data type 'str'", "[] []=")
def _by_name(operation: Operation, _: Said) -> Grounds | None:
    """A text as an index, which torch takes for as many indices as it has letters."""
    if type(operation.args[1].value) is not str:
        return None
    clause = "It is picked from by whole numbers, slices and masks: nothing in it has a name."
    return Grounds(operation.args[:1], clause)


@RULES.on(r"hx and cx should|^index 1 is out of bounds for dim|'hx' .* tuple of Tensors, not Ten")
def _half_a_state(operation: Operation, _: Said) -> Grounds | None:
    """One tensor in place of the two that are the state of an LSTM."""
    called = operation_at(operation.node, operation.site)
    if called is None or not is_a(called.function, nn.LSTM | nn.LSTMCell):
        return None
    state = called.tensor(1, "hx")
    return Grounds((state,), "The state of an LSTM is two tensors, (h, c), and this is one.")


@RULES.on(r"truth value of an array|Boolean value of Tensor with more", "and or")
def _no_truth(operation: Operation, _: Said) -> Grounds | None:
    """Two masks of which each truth counts, where Python asks for one truth."""
    sign = " & " if operation.name == "and" else " | "
    above = next(around(operation.node), None)
    is_kept = isinstance(above, ast.Assign | ast.Return | ast.Subscript | ast.Call | ast.Attribute)
    if not is_kept or not all(x.is_tensor and x.dtype == "bool" for x in operation.args):
        return None
    clause = f"`{operation.name}` asks for the truth of it all, and here are many:"
    form = sign.join(f"{{{place}}}" for place in range(len(operation.args)))
    return Grounds(operation.args, f"{clause}{sign}goes element by element.", (form,))


# Memory that is written to, or that is shared.


@RULES.on(r"some elements of the input tensor and the written-to")
def _shifted(operation: Operation, _: Said) -> Grounds:
    """A tensor is not written to while a shifted view of it is read."""
    x, others = operation.written, [y for y in operation.tensors if not y.is_array]
    memory = x.value.untyped_storage()._cdata
    others = [y for y in others if y.value.untyped_storage()._cdata == memory]
    # Of `x[1:] = x[:-1]`, what is read is at its right.
    own = {x.text, *(y.text for y in operation.args[:1] if operation.name == "[]=")}
    others = [y for y in others if y.text not in own]
    clause = f"{others[0].name} is read while {x.name} is written to, and the two share some of "
    clause += "their memory, shifted: what is written here would be read there."
    return Grounds((x, others[0]), clause, ("1 {}.clone()",))


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


@RULES.on(r"call numpy\(\) on Tensor|to numpy|ScalarType|that require gradient|dtype in DLTensor")
def _no_array(operation: Operation, _: Said) -> Grounds:
    """Memory that `numpy()` cannot share."""
    given = (*operation.args, *operation.kwargs.values())
    if own := operation_at(operation.node, operation.site):
        given += (*own.args, *own.kwargs.values())
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
    # What was computed may seem to lie on no device, which is no matter where another has a reason.
    refused = {text: each for text, each in refused.items() if each[2][0][0]} or refused
    x, whole, rows = next(iter(refused.values()))
    helps, why = "".join(row[0] for row in rows), rows[0][2].format(x.name, x.dtype)
    sentence = f"NumPy would get an array on the memory of {x.name}, and {why}."
    form = f"{{}}{helps}" if x is whole else f"torch.stack({{}}){helps}"
    forms = (form, f"{form}.numpy()") if all(row[0] for row in rows) else ()
    # Beside an operator stands an array: which one is to become the other, nobody knows.
    one = len({id(each[1].value) for each in refused.values()}) == 1
    one = one and not isinstance(operation.node, ast.BinOp)
    return Grounds((replace(x, node=whole.node),), sentence, forms if one else (), alone=True)


@RULES.on(r"given numpy array|np.ndarray of type")
def _no_tensor(operation: Operation, _: Said) -> Grounds | None:
    """An array whose memory `from_numpy` cannot share (torch/csrc/utils/tensor_numpy.cpp)."""
    x = next(x for x in operation.tensors if x.is_array)
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


@RULES.on(r"Invalid shape (SIZE) for image data|Third dim|data type: \(1, 1, \d+\), \|u1")
def _no_image(operation: Operation, said: Said) -> Grounds:
    """Channels that are not the last dim."""
    x = next(x for x in operation.tensors if said[1] is None or x.size == numbers(said[1]))
    form = "{}.transpose(1, 2, 0)" if x.is_array else "{}.permute(1, 2, 0)"
    forms = {1: ("{}[0]",), 3: (form,), 4: (form,)}.get(x.size[0]) if len(x.size) == 3 else ()
    clause = "An image has rows and columns, and then perhaps 3 or 4 colours as its last dim."
    return Grounds((x,), clause, forms or ())
