"""Why memory refuses: the rules, family by family.

Where stridekit has a rule of its own, that is asked, on the headers alone. Where torch has said all
there is, it is said once more of the tensors that it is about, in the words of the course.
"""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from stridekit.diagrams import draw_view
from stridekit.errors import (
    ArgumentError,
    DTypeError,
    NotOfferedError,
    OverlapError,
    StridekitError,
)
from stridekit.layouts.broadcasting import ExpandObstacle, Misfit, broadcast_sizes
from stridekit.layouts.layout import Ints
from stridekit.layouts.view_rule import Obstacle
from stridekit.own_code.operations import (
    MISSING,
    Operand,
    Operation,
    Unknown,
    is_plain_sequence,
    is_tensor,
)
from stridekit.own_code.shadows import layout_of
from stridekit.own_code.verdicts import SIZE, Grounds, Rule, Said, numbers, refusal
from stridekit.tensors import dtypes
from stridekit.tensors.storage import Storage
from stridekit.tensors.tensor import Tensor
from stridekit.tensors.writes import require_apart

_PRODUCTS = "@ @= matmul dot mm mv bmm addmm baddbmm inner linear cdist tensordot"
_ATTENTION = "scaled_dot_product_attention"


# Sizes that broadcast: to each other, or to what is written.


def _misfit(message: str, xs: list[Operand], into: Ints | None = None) -> str:
    """Where sizes do not broadcast to each other, or into one. Raises Unknown where they do.

    So it does where the message speaks of other numbers.
    """
    outcome = broadcast_sizes(*([into] if into else []), *(x.size for x in xs))
    fits = not isinstance(outcome, Misfit)
    told = outcome if fits else (outcome.first, outcome.second)
    if (fits and into in (None, outcome)) or not {*told} <= {1, *numbers(message)}:
        raise Unknown
    if fits:
        return f"together they are of size {outcome}."
    return (
        f"aligned at the right, dim -{outcome.place} is {outcome.first} in one and "
        f"{outcome.second} in another, where they must be equal, or one of them 1."
    )


@refusal(r"of tensor a \(\d+\) must match|expanded size of|dimensions of batch2", _ATTENTION)
def _attention(operation: Operation, said: Said) -> Grounds:
    """A mask that does not fit the scores, or queries and keys that have no scores."""
    q, k = operation.tensor(0, "query"), operation.tensor(1, "key")
    batch = broadcast_sizes(q.size[:-2], k.size[:-2])
    if isinstance(batch, Misfit) or q.size[-1] != k.size[-1]:
        clause = "The last dims of queries and keys must be equal, and all but the last two "
        return Grounds((q, k), f"{clause}broadcast.", ("enable_gqa",))
    scores, mask = (*batch, q.size[-2], k.size[-2]), operation.tensor(3, "attn_mask")
    clause = f"The mask has to broadcast to the scores, of size {scores}, a row for each query: "
    return Grounds((mask, q, k), clause + _misfit(said.string, [mask], scores), ("0 fit",))


@refusal(
    r"of tensor a \(\d+\) must match|expanded size of.*Target sizes: (SIZE)|match the broadcast shape"
    r"|(?:operands|objects) c\w+ (?:not )?be broadcast|size=(SIZE)\): the number of sizes"
    r"|indexing result of shape (SIZE)|from shape SIZE into shape (SIZE)|to the (\d+) output values"
)
def _not_broadcast(operation: Operation, said: Said) -> Grounds | None:
    """Tensors do not broadcast to each other, or what is written not to where it goes."""
    into = next((numbers(group) for group in said.groups() if group), None)
    others = ("expand", "expand_as", "broadcast_to") if into else ("einsum", *_PRODUCTS.split())
    if operation.name in others:
        return None
    target, xs = operation.target, [x for x in operation.tensors if x.size]
    if into and target is None:
        xs = [x for x in xs if broadcast_sizes(x.size, into) != into][:1]
        clause = f"It is to be expanded to {into}: "
        return Grounds((xs[0],), clause + _misfit(said.string, xs, into))
    if target is None:
        clause = _misfit(said.string, xs)
        short, long = (0, 1) if len(xs[0].size) < len(xs[-1].size) else (1, 0)
        forms = [f"{short} keepdim", f"{short} broadcast", f"{long} broadcast"]
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


@refusal(
    r"cannot be multiplied|batch2|size mismatch|tensor size|core dim|not aligned|remapped shapes"
    r"|dimensions need to match|for sum|number of columns|must match the|same reduction dim",
    _PRODUCTS,
)
def _no_product(operation: Operation, _: Said) -> Grounds | None:
    """Two sizes that have no product."""
    name = operation.name
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
        forms = ["1 turn"] if a.size[-1] in b.size[-2:] else []
        forms += ["0 turn"] if b.size[meets] in a.size[-2:] else []
        return Grounds((a, b), f"{clause}: {a.size[-1]} is not {b.size[meets]}.", tuple(forms))
    if name.endswith("bmm") and a.size[0] != b.size[0]:
        clause += f", one matrix after another: {a.size[0]} is not {b.size[0]}."
    elif isinstance(broadcast_sizes(a.size[:-2], b.size[:-2]), Misfit):
        clause += ", and all dims but the last two broadcast: those do not."
    else:
        return None
    return Grounds((a, b), clause)


@refusal(r"einsum|einstein|remapped shapes|subscript", "einsum")
def _einsum(operation: Operation, _: Said) -> Grounds | None:
    """A letter that stands for two sizes, or letters that are not as many as dims."""
    terms = operation.value(0).replace(" ", "").split("->")[0].split(",")
    sizes: dict[str, tuple[int, Operand]] = {}
    for term, x in zip(terms, operation.tensors, strict=True):
        head, dots, tail = term.partition("...")
        if len(head + tail) != len(x.size) and not dots:
            return Grounds((x,), f"{term} names {len(term)} dims, and it has {len(x.size)}.")
        for letter, n in (*zip(head, x.size), *zip(tail[::-1], x.size[::-1])):
            m, other = sizes.setdefault(letter, (n, x))
            if n != m and 1 not in (n, m):
                clause = f"is {m} in {other.name} and {n} in {x.name}."
                return Grounds((other, x), f"{letter} stands for one size, and {clause}")
    return None


@refusal(r"range of|out of bounds", "cat concatenate append")
def _joined_with_less(operation: Operation, _: Said) -> Grounds | None:
    """What is joined along a dim that the first does not have, and another has."""
    xs = tuple({len(x.size): x for x in operation.tensors[::-1]}.values())[:2]
    clause = f"{operation.name} joins what has the same number of dims."
    return Grounds(xs[::-1], clause, ("fit",)) if len(xs) == 2 else None


# Memory that is written to, or that is shared.


def _target(operation: Operation) -> Operand:
    """What is written to: the tensor, or what it is an item of. Raises Unknown."""
    target = operation.target
    return target if target is not None and target.is_tensor else operation.tensor(0)


@refusal(r"more than one element of the written-to tensor|input tensor and the written-to")
def _overlapping(operation: Operation, _: Said) -> Grounds | None:
    """Elements that share memory are not written to, nor those that are read meanwhile."""
    target, others = _target(operation), [x for x in operation.tensors if not x.is_array]
    memories: dict[int, Storage] = {}
    mine = _ours(target.value, memories)
    for x in [target, *(x for x in others if x.text != target.text)]:
        try:
            require_apart("write", mine, _ours(x.value, memories) if x is not target else None)
        except OverlapError as error:
            if x is target:
                clause = str(error).partition(": ")[2].removesuffix(" clone() first.")
                return Grounds((x,), f"It is written to, and {clause}", ("own",))
            clause = f"{x.name} is read while {target.name} is written to, and the two share some "
            clause += "of their memory, shifted: what is written here would be read there."
            return Grounds((target, x), clause, ("1 {}.clone()",))
    return None


@refusal(r"is read-only")
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


@refusal(r"a leaf Variable that requires grad is being used in an in-place")
def _leaf(operation: Operation, _: Said) -> Grounds:
    """Memory that autograd starts from."""
    clause = "It is written to in place, and its memory is that of a leaf that requires grad: the "
    clause += "values that autograd starts from would be gone. Under torch.no_grad() it may be "
    return Grounds((_target(operation),), f"{clause}written to.")


@refusal(r"result type (\w+) can't be cast to the desired output type")
@refusal(r"Cannot cast ufunc '\w+' output from dtype\('(\w+)'\)")
def _another_dtype(operation: Operation, said: Said) -> Grounds:
    """A result that does not go into memory of its target's dtype."""
    x, kind = _target(operation), getattr(torch, f"{said[1]}Tensor", None)
    result = str(kind.dtype).removeprefix("torch.") if kind else said[1]
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


@refusal(r"call numpy\(\) on Tensor|to numpy|ScalarType")
def _no_array(operation: Operation, _: Said) -> Grounds | None:
    """Memory that `numpy()` cannot share."""
    for x in operation.tensors:
        real = x.value if x.found is None else x.found
        rows = [row for row in _NO_ARRAY if not x.is_array and row[1](real)]
        # A shadow always lies on the meta device.
        rows = rows if x.found is not None else [row for row in rows if row[0]] or rows
        if rows:
            why = rows[0][2].format(x.name, x.dtype)
            form = "{}" + "".join(row[0] for row in rows)
            sentence = f"NumPy would get an array on the memory of {x.name}, and {why}."
            return Grounds(
                (x,), sentence, (form,) if all(row[0] for row in rows) else (), alone=True
            )
    return None


@refusal(r"given numpy array|np.ndarray of type", "from_numpy as_tensor tensor")
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


@refusal(r"Invalid shape (SIZE) for image data")
def _no_image(operation: Operation, said: Said) -> Grounds:
    """Channels that are not the last dim."""
    x = [x for x in operation.tensors if x.size == numbers(said[1])][0]
    form = "{}.transpose(1, 2, 0)" if x.is_array else "{}.permute(1, 2, 0)"
    forms = {1: ("{}[0]",), 3: (form,), 4: (form,)}.get(x.size[0]) if len(x.size) == 3 else ()
    clause = "An image has rows and columns, and then perhaps 3 or 4 colours as its last dim."
    return Grounds((x,), clause, forms or ())


@refusal(r"buffer size must be|buffer is smaller|buffer is too small|buffer length")
def _too_few_bytes(operation: Operation, _: Said) -> Grounds:
    """A buffer that is not as long as what it is to hold."""
    source = operation.operand(0, "buffer")
    held = source.value.nbytes if source.is_array else len(source.value)
    dtype: Any = operation.value(1, "dtype", default=float)
    count = operation.value(2, "count", default=0)
    if operation.name == "?ndarray":
        dtype = operation.value(9, "dtype", default=float)
        count = int(np.prod(operation.args[0].value))
    itemsize = dtype.itemsize if isinstance(dtype, torch.dtype) else np.dtype(dtype).itemsize
    wanted = f"{count} elements of {itemsize} bytes each" if count else ""
    wanted = wanted or f"whole elements of {itemsize} bytes"
    clause = f"{source.name} holds {held} bytes, and {wanted} were asked for."
    return Grounds((), clause, alone=True)


# What stridekit says to the same.

# NumPy's names for what the model has, and torch's others.
_NUMPYS = {
    "transpose": "permute", "swapaxes": "transpose", "expand_dims": "unsqueeze",
    "broadcast_to": "expand", "reshape": "reshape", "view": "view", "[]": "[]",
    ".shape=": "view", ".dtype=": "view",
}  # fmt: skip
_TORCHS = {
    "broadcast_to": "expand", "swapaxes": "transpose", "swapdims": "transpose", "[]=": "[]",
    "view_as": "view", "reshape_as": "reshape", "expand_as": "expand", "squeeze_": "squeeze",
}  # fmt: skip
_WORDS = {"axis": "dim", "axes": "dims"}
_RESHAPE = "{first}.reshape({rest})"
_FORMS = {
    "view": (_RESHAPE, "infer", "{}.contiguous()", "np.ascontiguousarray({})", "{}.unsqueeze(0)"),
    "view_as": ("{first}.reshape_as({rest})",),
    "reshape": (_RESHAPE, "infer"),
    ".shape=": (f"{{first}} = {_RESHAPE}",),
    "t": ("{0}.transpose(-2, -1)",),
    "[]": ("flip",),
    **dict.fromkeys(("expand", "expand_as", "broadcast_to"), ("fit",)),
}


def _clause(error: StridekitError, x: Operand) -> str:
    """What an error of stridekit's says, without the call, and without what to write instead."""
    clause = re.sub(r"^\w+(\(.*?\))?( on size .*?\))?: ", "", str(error))
    clause = re.sub(r"(?<=[.]) \w+\(.*?\)[^.]*\.$", "", clause)
    clause = clause.replace("the tensor", "the array") if x.is_array else clause
    return clause[0].upper() + clause[1:]


def _asked(operation: Operation, x: Operand) -> StridekitError | None:
    """The refusal of stridekit's own operation."""
    name, args = operation.name, [a.value for a in operation.args[1:]]
    kwargs = {_WORDS.get(k, k): v.value for k, v in operation.kwargs.items()}
    if not args:
        args = [kwargs.pop(word) for word in ("size", "shape") if word in kwargs]
    if x.is_array:
        name = "view" if kwargs.pop("copy", None) is False else _NUMPYS.get(name, "item")
    elif name.endswith("_as"):
        args = [args[0].shape]
    name = name if x.is_array else _TORCHS.get(name, name)
    key = args[0] if args else None
    listed = any(
        is_tensor(k) or isinstance(k, list) for k in (key if type(key) is tuple else [key])
    )
    if name == "item" or name.endswith("_") and name != "set_" or (name == "[]" and listed):
        return None
    try:
        if name == "[]":
            _ours(x.value)[key]
        elif hasattr(Tensor, name):
            call = getattr(_ours(x.value), name)
            call(*map(_ours, args), **{k: _ours(v) for k, v in kwargs.items()})
    except (ArgumentError, DTypeError, NotOfferedError):
        return None
    except StridekitError as error:
        # Its traceback leads here, and from here to the tensors.
        return error.with_traceback(None)
    return None


def _ours(x: Any, memories: dict[int, Storage] | None = None) -> Any:
    """An argument as stridekit's own operations take it; tensors without memory. Raises Unknown."""
    if is_tensor(x):
        layout, dtype = layout_of(x), str(x.dtype).removeprefix("torch.")
        if dtype not in dtypes.BY_NAME or min(layout.stride, default=0) < 0:
            raise Unknown
        # Memory is asked for, and never touched.
        held = x.untyped_storage() if isinstance(x, torch.Tensor) else x.data
        reach = layout.reach
        needed = 0 if reach is None else (reach[1] + 1) * x.dtype.itemsize
        nbytes = max(needed, held.nbytes() if isinstance(x, torch.Tensor) else 0)
        identity = held._cdata if isinstance(x, torch.Tensor) else id(x)
        storage = ({} if memories is None else memories).setdefault(identity, Storage(nbytes))
        return Tensor(layout, storage, dtypes.BY_NAME[dtype])
    if isinstance(x, torch.UntypedStorage):
        return Storage(x.nbytes())
    if isinstance(x, torch.dtype | np.dtype | type | str):
        name = str(x)[6:] if isinstance(x, torch.dtype) else np.dtype(x).name
        return dtypes.as_dtype(name)
    if is_plain_sequence(x):
        return [_ours(part) for part in x] if isinstance(x, list) else tuple(map(_ours, x))
    return x


# What torch, NumPy and others say themselves, in the words of the course: a pattern, a clause with
# what its groups found, and perhaps ways out.
_WORDING = r"""
range of \[-(\d+), \d+\], but got (-?\d+)|axis (-?\d+) is out of bounds for array of \w+ (\d+)
  Dims are counted from 0, or from the right from -1: there is no dim {2}{3} in {1}{4} dims.
index (-?\d+) is out of bounds for \w+ (\d+) with size (\d+)
  Dim {2} has size {3}, counted from 0, or from -1 at its end: there is no index {1}.
too many indices
  There are more indices than dims.
shape of the mask|boolean index did not match
  A mask has a value for each element of the dims that it picks from.
  -> {0}[{1}]
  -> {0}[:, {1}]
  -> {0}[:, :, {1}]
indexing \w+ could not be broadcast together with shapes (.*)
  Lists of indices are read together, one index of each, and theirs are of sizes {1}.
split_sizes to sum exactly to (\d+) .*?(\[.*\])
  The pieces {2} must add up to {1}, the size of the dim.
non-negative, but got|only non-negative entries
  A piece counts indices, so it is not negative.
split_size can only be 0 .* of (\d+)
  A dim of size {1} has no pieces of 0.
chunks. to be greater than 0|sections must be larger than 0
  There is at least 1 piece.
along dimension (\d+), .*dimension (\d+) is not .* split_size (\d+)
  Size {2} of dim {1} does not divide into {3} equal pieces. tensor_split makes unequal ones.
tensor with at least (\d) dimension|must be >= (\d)-d
  {name} is for rank {1}{2} or more.
rotation dims to be different
  It is turned from one dim to another: give two that differ.
unflatten: sizes must be non-empty
  No sizes are given. Give one at least.
Provided sizes (\[.*?\]) don't multiply up to the size of dim (\d+) \((\d+)\)
  The sizes {1} do not multiply to {3}, the size of dim {2}.
same number of elements
  Each dim that moves needs a place of its own: name as many places as dims.
repeated (?:dim|axis) in `(source|destination)`
  A dim is named twice in the {1}.
source \((.*?) dims\).* destination \((.*?) dims\)
  The dims {1} are to move to {2}. Name one place for each.
axis to squeeze out
  Only a dim of size 1 can be squeezed out.
take_along_dim.* same number of dimensions
  The tensor and the indices must have the same number of dims.
last dimension of size 2
  The last dim must have size 2: a real and an imaginary part.
must have a (?:last dimension with stride 1|stride divisible|storage_offset divisible)
  The two parts of a complex number lie side by side: the last stride is 1, all others are even.
  -> {}.contiguous()
rank 4 tensor to use (\w+) format
  {1} is an order of 4 dims (N, C, H, W), with the channels closest together.
  -> {}.unsqueeze(0)
rank 5 tensor to use (\w+) format
  {1} is an order of 5 dims (N, C, D, H, W), with the channels closest together.
  -> {}.unsqueeze(0)
resize variables that require grad
  It requires grad, and a resize would change its elements behind autograd's back.
  -> {}.detach().clone()
cannot resize.* own
  The memory under it may not be given up for other memory: it belongs to another array.
  -> np.resize({first}, {rest})
cannot resize
  The memory under it may not be given up for other memory: others hold it, such as a view.
  -> np.resize({first}, {rest})
must be a (?:matrix|vector|3D)|1D tensors expected|Expected 1-D argument
  mm and addmm take 2 and 2 dims, mv 2 and 1, bmm 3 and 3, dot and outer 1 and 1; matmul more.
  -> torch.matmul({0}, {1})
must be square|be batches of square
  {name} is for square matrices.
Incompatible shapes of A|solve1?: Input operand
  The equations are the rows of one, and the right sides those of the other: as many of both.
Index tensor must have the same number
  Both must have the same number of dims.
  -> 1 fit
apart from dimension (\d+)
  No dim of the index may be larger than that of the values, nor, but for dim {1}, than that of what
  is picked from.
Index is supposed to be a vector
  index_select takes indices of one dim.
used as indices|indices must be integ|following scalar types|expected (?:target dtype|scalar type Long)
  What names places is whole numbers, of dtype int64.
  -> 1 {}.long()
  -> 1 {}.astype(int)
  -> 0 {}.long()
dtypes match|same dtype|type \(.*\) and (?:bias|weight) type
  All must be of one dtype.
  -> cast
same device|not on the expected device
  Their memory lies in different places.
out of meta tensor
  It is on the meta device: a header without memory, so there is nothing to be copied.
not C-contiguous|to C-contiguous views
  It is to be read byte after byte in C order.
  -> np.ascontiguousarray({})
expected input\[.*?\] to have (\d+) channels, but got (\d+)
  {who} wants size {1} at the dim of the channels: {2} is there.
  -> 0 fit
running_mean should contain (\d+) elements not (\d+)
  {who} wants size {2} at dim 1: {1} is there.
  -> 0 fit
normalized_shape=\[(\d+)\],.* input of size\[.*?(\d+)\]
  {who} wants size {1} at the last dim: {2} is there.
  -> 0 fit
input_size\. Expected (\d+), got (\d+)|embedding dimension of (\d+), but got (\d+)
  {who} wants size {1}{3} at the last dim: {2}{4} is there.
input([12]) size does not match .* got (\d+) but expected (\d+)
  {who} wants size {3} at the last dim of input {1}: {2} is there.
Expected (\dD.*) input to|expected (\dD.*?) input
  {who} takes {1}{2}: another number of dims.
size per channel: \(([\d x]+)\)\. Kernel size: \(([\d x]+)\)
  {who} slides a window of {2} over {1}, padding included.
Expected hidden\S* size \((.*?)\), got
  It has to be ({1}): layers × directions, batch, hidden size.
attn_mask is .*should be (\(.*\))
  It has to be {1}: a row for each query, and a column for each key.
batch_size|multi-target|size mismatch \(got|Expected target size
  Dim 1 of the first is the classes, and there is a target for each place in its other dims.
  -> 1 fit
  -> 0 {}.permute(0, 2, 1)
Target (-?\d+) is out of bounds
  Dim 1 of the first is the classes, counted from 0: there is no class {1}.
index out of range in self
  Rows are counted from 0, and an index is larger.
[tT]arget size .*input size|must have the same size
  There is a target for each element.
  -> 1 fit
  -> 0 fit
not resizable
  ! {name} needs a longer storage, and that memory is not torch's to grow: somebody else lends it,
  such as NumPy. Careful: torch has given the new size all the same, over the old memory. Do not
  read that tensor any more.
size mismatch for ([\w.]+): copying .* with shape (SIZE).* is (SIZE)
  ! {1} has size {2} in what is loaded, and size {3} in the model. Its elements are copied one by
  one, so both must be equal.
in DataLoader[\s\S]*got (SIZE) at entry 0 and (SIZE) at entry (\d+)
  ! The worker stacks the samples of a batch, side by side along a new dim: they must have one size,
  and sample 0 has {1}, sample {3} {2}.
expects each tensor to be equal size|all input arrays must have the same shape
  stack lays tensors of one size side by side, along a new dim.
  -> torch.nn.utils.rnn.pad_sequence({first}, batch_first=True)
  -> fit
number of dimensions: got (\d+) and (\d+)|the array at index 0 has (\d+) dim.*? has (\d+) dim
  {name} joins what has the same number of dims: one has {1}{3}, and another {2}{4}.
  -> fit
except in dimension (\d+)\. Expected size (\d+) but got size (\d+)
  {name} joins along dim {1}, and all other dims must be equal: one is {2} in one and {3} in another.
  -> dim
must match exactly, but along dimension (\d+), .* has size (\d+) and .* has size (\d+)
  {name} joins along another dim, and all others must be equal: dim {1} is {2} in one and {3} in
  another.
  -> dim
zero-dimensional \w+ .*cannot be concatenated
  {name} joins along a dim that is there, and these have none.
  -> torch.stack({first})
same first dimension, but have shapes|x and y must be the same size
  There is one y for each x, along the first dim.
"""


def _wordings(table: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The pattern, the clause and the forms of each row."""
    for row in re.split(r"\n(?=\S)", table.strip()):
        pattern, *lines = (line.strip() for line in row.split("\n"))
        clause = " ".join(line for line in lines if not line.startswith("-> "))
        yield pattern, clause, tuple(line[3:] for line in lines if line.startswith("-> "))


def _worded(clause: str, forms: tuple[str, ...]) -> Rule:
    def told(operation: Operation, said: Said) -> Grounds | None:
        """What was said, of the tensors that it is about: those of sizes that it names, or all."""
        groups = [str(numbers(x)) if re.fullmatch(SIZE, x) else x for x in said.groups("")]
        name = operation.name.strip("?")
        text = clause.format("", *groups, name=name, who=operation.module or name)
        if text.startswith("! "):
            return Grounds((), text[2:], alone=True)
        xs = _named(operation, said.string)
        return Grounds(xs, text, forms) if xs or _is_known(operation) else None

    return told


def _named(operation: Operation, message: str) -> tuple[Operand, ...]:
    """Up to three tensors, each of another size if there are more: those of sizes that are named."""
    sizes = [numbers(text) for text in re.findall(SIZE, message)]
    xs = operation.tensors
    if len(xs) > 3:
        xs = sorted({x.size: x for x in xs[::-1]}.values(), key=xs.index)
    named = [x for x in xs if x.size in sizes]
    most = 3 - len(named) if len(named) < 2 else 0
    return tuple(x for x in xs if x in [*named, *[y for y in xs if y not in named][:most]])


def _is_known(operation: Operation) -> bool:
    """Whether nothing of it stayed unknown."""
    given = (*operation.args, *operation.kwargs.values())
    return operation.name[0] != "?" and all(x.value is not MISSING for x in given)


for _pattern, _clause_of_it, _forms_of_it in _wordings(_WORDING):
    refusal(_pattern)(_worded(_clause_of_it, _forms_of_it))


@refusal(r"")
def _refused_by_rule(operation: Operation, _: Said) -> Grounds | None:
    """What stridekit says to the same call; None where it takes it, or has no such thing."""
    x, name = operation.tensor(0), operation.name
    error = _asked(operation, x)
    if error is None:
        return None
    forms = _FORMS.get(name, ())
    obstacle = getattr(error, "obstacle", None)
    clause = _clause(error, x)
    if isinstance(obstacle, Obstacle):
        size, stride = obstacle.new_size, layout_of(x.value).stride
        clause = f"{x.name} has size {x.size}, stride {stride}, and is to be viewed as {size}: "

        def picture(drawn: Any, values: bool) -> Any:
            return draw_view(drawn, *size, title=x.name, values=values)

        return Grounds((x,), f"{clause}{obstacle.reason}.", forms, picture, alone=True)
    if isinstance(obstacle, ExpandObstacle):
        clause = f"{x.name} has size {x.size}, and is to be expanded to {obstacle.new_size}: "
        clause += f"{obstacle.reason}."
        clause = clause.replace("the tensor", "the array") if x.is_array else clause
        return Grounds((x,), clause, forms, alone=True)
    return Grounds((x,), clause, forms)


@refusal(r"\b(?:[sS]izes?|[sS]hapes?|[dD]im(?:ension)?s?|ax[ie]s)\b.*\d")
def _own_words(operation: Operation, said: Said) -> Grounds | None:
    """What torch says, where nothing more is known, of tensors that are all known."""
    words = said.string.strip().split("\n")[0].rstrip(".! ")
    words = words[0].upper() + words[1:] if words.split()[0].isalpha() else words
    xs = tuple(operation.tensors[:4]) if _is_known(operation) else ()
    return Grounds(xs, f"{words}.") if xs else None
