"""Sizes that do not fit each other: broadcasting, writing, products, joining, picking, layers."""

import ast
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from stridekit.layouts.broadcasting import (
    ExpandObstacle,
    Misfit,
    broadcast_sizes,
    plan_expand,
)
from stridekit.layouts.layout import Ints
from stridekit.own_code.operations import MISSING, Operand, Operation
from stridekit.own_code.safe_lookup import Unknown, is_a
from stridekit.own_code.verdicts import Told, family, header, numbers, sized, tensor_of
from stridekit.own_code.ways_out import (
    WayOut,
    turned,
    with_ones,
    with_keyword,
    with_name,
    with_operand,
    written,
)

_ATTENTION = "scaled_dot_product_attention"
_SIZE = r"(?:torch\.Size\()?[\[(][\d, ]*[\])]"


def _misfit(outcome: Misfit, moved: int = 0) -> str:
    return f"dim -{outcome.place + moved} is {outcome.first} in one and {outcome.second} in another"


@family(_ATTENTION)
@family(r"of tensor a \((?P<a>\d+)\) must match .* b \((?P<b>\d+)\)|first two dimensions of batch2", _ATTENTION)
def _attention(operation: Operation, _: "re.Match[str]") -> Told | None:
    """A mask that does not fit the scores; queries, keys and values that do not fit each other."""
    q, k = tensor_of(operation.receiver), tensor_of(operation.operand(0, "key"))
    v, mask = tensor_of(operation.operand(1, "value")), operation.operand(2, "attn_mask")
    if q.size[-1] != k.size[-1]:
        return Told((q, k), f"Both are multiplied along their last dim: {q.size[-1]} is not {k.size[-1]}.")
    batch = broadcast_sizes(q.size[:-2], k.size[:-2], v.size[:-2])
    if isinstance(batch, Misfit):
        return Told((q, k, v), f"All dims but the last two broadcast, and {_misfit(batch, 2)}.")
    scores = (*batch, q.size[-2], k.size[-2])
    if mask is None or not mask.is_tensor or broadcast_sizes(scores, mask.size) == scores:
        return None
    clause = (
        f"The mask has to broadcast to the scores, of size {scores}: one for each pair of "
        f"{q.size[-2]} queries and {k.size[-2]} keys."
    )
    return Told((mask, q, k), clause, with_ones(operation, mask))


@family(
    r"of tensor a \((?P<a>\d+)\) must match .* b \((?P<b>\d+)\)|doesn't match the broadcast shape"
    r"|(?:operands|objects) c\w+ (?:not )?be broadcast[^(]* (?P<shapes>\(.*\))"
)
def _not_broadcast(operation: Operation, said: "re.Match[str]") -> Told | None:
    """The tensors of one operation do not broadcast."""
    if operation.name in (_ATTENTION, "einsum", "pad_sequence", *_PRODUCTS):
        return None
    if operation.target is not None:
        found = _not_written(operation, said)
        if found is not None:
            return found
    tensors = operation.tensors
    sizes = [x.size for x in tensors]
    outcome = broadcast_sizes(*sizes)
    if not isinstance(outcome, Misfit):
        return None
    named = [numbers(part) for part in re.findall(r"\([\d,]*\)", said["shapes"] or "")]
    if named and any(size not in named for size in sizes):
        return None
    if said["a"] and {outcome.first, outcome.second} != {int(said["a"]), int(said["b"])}:
        return None
    clause = f"Aligned at the right, {_misfit(outcome)}: they must be equal there, or one of them 1."
    return Told(tuple(tensors), clause, _broadcast_ways(operation, tensors))


def _broadcast_ways(operation: Operation, tensors: list[Operand]) -> Iterator[WayOut | None]:
    if len(tensors) != 2:
        return
    small, large = sorted(reversed(tensors), key=lambda x: len(x.size))
    yield with_keyword(operation, small.node, **{"keepdims" if small.is_array else "keepdim": True})
    for x, wanted in ((small, large.size), (large, small.size)):
        for at in range(len(x.size), 0, -1):
            ones = (1,) * (len(wanted) - len(x.size))
            if ones and broadcast_sizes((*x.size[:at], *ones, *x.size[at:]), wanted) == wanted:
                yield with_operand(operation, x, f"{{}}[{', '.join([':'] * at + ['None'] * len(ones))}]")
        if len(x.size) == 2 and broadcast_sizes(x.size[::-1], wanted) == wanted:
            yield with_operand(operation, x, "{}.T")


@family(rf"expanded size of the tensor.*Target sizes: (?P<into>{_SIZE}).*Tensor sizes: (?P<size>{_SIZE})")
@family(rf"\w+{{(?P<size>{_SIZE})}}, size=(?P<into>{_SIZE})\): the number of sizes")
@family(rf"value (?:tensor|array) of shape (?P<size>{_SIZE}).* result of shape (?P<into>{_SIZE})")
@family(rf"input array from shape (?P<size>{_SIZE}) into shape (?P<into>{_SIZE})")
@family(r"cannot assign (?P<size>\d+) input values to the (?P<into>\d+) output values")
def _not_written(operation: Operation, said: "re.Match[str]") -> Told | None:
    """A value that does not broadcast to where it is to be written, or to what it is expanded to."""
    named = said.groupdict()
    into, size = (numbers(named[key]) if named.get(key) else None for key in ("into", "size"))
    target = operation.target
    if target is None:
        if operation.name.startswith(("expand", "broadcast_to")):
            return None
        return _not_expanded(operation, into or (), size)
    inside = operation.args[1:] if operation.name == "[]=" else operation.operands
    value = next((x for x in reversed(inside) if x.text != target.text and _is_value(x)), None)
    own = target.size if target.is_tensor else into
    if value is None or own is None or (size is not None and not _alike(size, value.size)):
        raise Unknown(target.text)
    if into is not None and not _alike(into, own):
        return None
    others = [x.size for x in inside if x.is_tensor and x.text != target.text]
    outcome = broadcast_sizes(own, value.size, *others)
    if outcome == own:
        return None
    why = (
        f"aligned at the right, {_misfit(outcome)}"
        if isinstance(outcome, Misfit)
        else f"the two broadcast to {outcome}, and what is written to keeps its size {own}"
    )
    sentence = (
        f"{target.name} has size {own}, and {value.name} size {value.size}. What is written is expanded to "
        f"the size of what it is written to: {why}."
    )
    place = target if target.is_tensor else operation.receiver
    shown = tuple(x for x in (place, value) if x.is_tensor)
    return Told(shown, sentence, _written_otherwise(operation, target, value), alone=True)


def _alike(a: Ints, b: Ints) -> bool:
    """Whether two sizes differ in dims of size 1 at the left at most."""
    short, long = sorted((a, b), key=len)
    return long[len(long) - len(short) :] == short and set(long[: len(long) - len(short)]) <= {1}


def _is_value(x: Operand) -> bool:
    try:
        return len(x.size) > 0 and type(x.value) is not slice
    except (Unknown, ValueError):
        return False


def _written_otherwise(operation: Operation, target: Operand, value: Operand) -> Iterator[WayOut | None]:
    if operation.name == "[]=" and value.is_tensor and value.size == operation.receiver.size:
        yield with_operand(operation, value, f"{{}}[{operation.args[0].text}]")
    if value.is_tensor:
        yield from with_ones(operation, value)
        yield from turned(operation, value)
    if isinstance(operation.node, ast.AugAssign) and isinstance(operation.node.target, ast.Name):
        yield written(f"{{0}} = {{0}} {operation.name[:-1]} {{1}}", target, value)
    if operation.name.endswith("_"):
        yield with_name(operation, operation.name[:-1])


def _not_expanded(operation: Operation, into: Ints, size: Ints | None) -> Told | None:
    for x in operation.tensors:
        plan = plan_expand(header(x).layout, into) if x.size == size else None
        if isinstance(plan, ExpandObstacle):
            return Told((x,), f"It is to be expanded to {into}: {plan.reason}.")
    return None


# Products: how many dims each takes, 0 for any; and which dim of the second meets the first's last.
_PRODUCTS = {
    **{"@": (0, 0, -2), "@=": (0, 0, -2), "matmul": (0, 0, -2), "dot": (0, 0, -2), "outer": (1, 1, 0)},
    **{"mm": (2, 2, -2), "addmm": (2, 2, -2), "bmm": (3, 3, -2), "baddbmm": (3, 3, -2)},
    **{"mv": (2, 1, -1), "inner": (0, 0, -1), "linear": (0, 0, -1), "cdist": (0, 0, -1)},
    **{"tensordot": (0, 0, 0)},
}


@family(
    r"cannot be multiplied|must be a (?:matrix|vector|3D)|batch[12]|size mismatch|tensor size|core dim|not aligned"
    r"|remapped shapes|[12]-?D (?:tensors|argument)|dimensions need to match|for sum|number of columns|must match the",
    *_PRODUCTS,
)
def _no_product(operation: Operation, _: "re.Match[str]") -> Told | None:
    """Two sizes that have no product."""
    name = operation.name
    skipped = 1 if name in ("addmm", "baddbmm") else 0
    a, b = [tensor_of(x) for x in (operation.receiver, *operation.args)[skipped : skipped + 2]]
    *ranks, meets = _PRODUCTS[name]
    if name == "dot" and not a.is_array:
        ranks = [1, 1]
    if not a.size or not b.size:
        return None
    if any(n not in (0, len(x.size)) for n, x in zip(ranks, (a, b), strict=True)):
        plain = name in ("mm", "bmm", "mv") and written("torch.matmul({}, {})", a, b)
        return Told((a, b), f"{name} is for {ranks[0]} dims and {ranks[1]} dims.", [plain or None])
    meets = max(meets, -len(b.size))
    if a.size[-1] != b.size[meets]:
        who = f"{operation.module} multiplies" if operation.module else "A product goes"
        where = {-1: "the last dim", -2: "the last dim but one", 0: "dim 0"}[meets]
        clause = (
            f"{who} along the last dim of {a.name} and {where} of {b.name}: {a.size[-1]} is not "
            f"{b.size[meets]}."
        )
        return Told((a, b), clause, turned(operation, b, a))
    if name in ("bmm", "baddbmm") and a.size[0] != b.size[0]:
        clause = f"{name} multiplies matrices one by one, and the sizes begin with {a.size[0]} and {b.size[0]}."
        return Told((a, b), clause)
    outcome = broadcast_sizes(a.size[:-2], b.size[:-2])
    if isinstance(outcome, Misfit):
        return Told((a, b), f"In a product all dims but the last two broadcast, and {_misfit(outcome, 2)}.")
    return None


@family(r"einsum|einstein|remapped shapes|subscripts", "einsum")
def _einsum(operation: Operation, _: "re.Match[str]") -> Told | None:
    """A letter that stands for two sizes, or letters that are not as many as dims."""
    equation, tensors = operation.receiver.value, operation.tensors
    terms = equation.replace(" ", "").split("->")[0].split(",") if type(equation) is str else []
    if "." in terms or len(terms) != len(tensors):
        return None
    sizes: dict[str, tuple[int, Operand]] = {}
    for term, x in zip(terms, tensors, strict=True):
        if len(term) != len(x.size):
            return Told((x,), f"{term} names {len(term)} dims, and it has {len(x.size)}.")
        for letter, n in zip(term, x.size, strict=True):
            m, other = sizes.setdefault(letter, (n, x))
            if n != m and 1 not in (n, m):
                clause = f"{letter} stands for one size, and is {m} in {other.name} and {n} in {x.name}."
                return Told((other, x), clause)
    return None


@family(r"square|Incompatible shapes of A|solve1?: Input operand")
def _linear_algebra(operation: Operation, _: "re.Match[str]") -> Told | None:
    """Matrices that are not square, and equations whose sides are not as many."""
    a = tensor_of(operation.receiver)
    if len(a.size) < 2 or a.size[-1] != a.size[-2]:
        return Told((a,), f"{operation.name.strip('?')} is for square matrices.")
    b = tensor_of(operation.operand(0, "B", "b"))
    rows = b.size[-2] if len(b.size) > 1 else b.size[0]
    clause = f"Those are {a.size[-1]} equations and {rows} right sides."
    return None if rows == a.size[-1] else Told((a, b), clause)


# Joining: along which dim, where the name says it.
_JOINED = {"hstack": 1, "vstack": 0, "column_stack": 1, "dstack": 2}


@family(
    r"must match|same number of dim|be concatenated|equal size|same shape|out of (?:range|bounds)",
    *("cat", "concat", "concatenate", "append", "stack", *_JOINED),
)
def _not_joined(operation: Operation, _: "re.Match[str]") -> Told | None:
    """Tensors that differ in another dim than the one along which they are joined."""
    name = operation.name
    if any(x.value is MISSING for x in operation.operands):
        raise Unknown(name)
    first, *rest = [x for x in operation.operands if x.is_tensor or is_a(x.value, np.generic)]
    dim = _JOINED.get(name)
    if dim is None:
        dim = operation.argument(1 if name == "append" else 0, "dim", "axis", default=0)
    if name == "hstack" and len(first.size) == 1:
        dim = 0
    for x in rest:
        a, b = (_at_least_2d(name, y.size) for y in (first, x))
        others = [d for d in range(len(a)) if d != dim % len(a) and a[d : d + 1] != b[d : d + 1]] if a else []
        if name == "stack" and a != b:
            clause = "stack lays tensors of one size side by side, along a new dim."
        elif len(a) != len(b) and a != (0,):
            clause = f"{name} joins what has the same number of dims."
        elif not a:
            clause = f"{name} joins along a dim that is there, and these have none."
        elif others:
            d = others[0]
            clause = f"{name} joins along dim {dim}, and all other dims must be equal: dim {d} is "
            clause += f"{a[d]} in one and {b[d]} in the other."
        else:
            continue
        return Told((first, x), clause, _joined_otherwise(operation, first, x, dim))
    return None


def _at_least_2d(name: str, size: Ints) -> Ints:
    missing = (1,) * (2 - len(size)) if name in _JOINED and name != "hstack" else ()
    return (*missing, *size) if name == "vstack" else (*size, *missing)


def _joined_otherwise(operation: Operation, a: Operand, b: Operand, dim: int) -> Iterator[WayOut | None]:
    many = operation.receiver
    if operation.name == "stack" and not a.is_array:
        yield written("torch.nn.utils.rnn.pad_sequence({}, batch_first=True)", many)
    if not a.size and not a.is_array:
        yield written("torch.stack({})", many)
    if len(a.size) == len(b.size) and operation.name in ("cat", "concat", "concatenate"):
        for other in range(len(a.size)):
            yield with_keyword(operation, operation.node, **{"axis" if a.is_array else "dim": other})
    if len(a.size) != len(b.size):
        yield from with_ones(operation, min(a, b, key=lambda x: len(x.size)))


# Picking by masks, lists and indices.


@family(r"shape of the mask|boolean index did not match", "[]", "[]=")
def _mask_of_another_size(operation: Operation, _: "re.Match[str]") -> Told | None:
    """A mask that has not as many elements as what it picks from."""
    x, key = tensor_of(operation.receiver), operation.args[0]
    nodes = key.node.elts if isinstance(key.node, ast.Tuple) else [key.node]
    values = key.value if type(key.value) is tuple else (key.value,)
    dim = 0
    for node, value in zip(nodes, values, strict=True):
        mask = Operand(ast.unparse(node) if node else "the mask", value, None, node)
        if not mask.is_tensor or value.dtype.itemsize > 1:
            dim += value is not None
            continue
        if x.size[dim : dim + len(mask.size)] != mask.size:
            clause = (
                f"A mask has a value for each element along the dims that it picks from: from dim {dim} on "
                f"they have size {x.size[dim : dim + len(mask.size)]}."
            )
            fits = [at for at in range(len(x.size)) if x.size[at : at + len(mask.size)] == mask.size]
            forms = [", ".join([":"] * at + ["{1}"]) for at in fits if operation.name == "[]"]
            return Told((mask, x), clause, [written(f"{{0}}[{form}]", x, mask) for form in forms])
        dim += len(mask.size)
    return None


@family(r"indexing \w+ could not be broadcast together with shapes (?P<shapes>.*)", "[]", "[]=")
def _lists_of_other_lengths(operation: Operation, said: "re.Match[str]") -> Told | None:
    """Lists of indices that are not equally long."""
    sizes = [numbers(part) for part in re.findall(r"[\[(][\d, ]*[\])]", said["shapes"])]
    clause = f"Lists of indices are read together, one index of each, and theirs are of sizes {', '.join(map(str, sizes))}."
    return Told((tensor_of(operation.receiver),), clause)


@family(r"Index tensor must have|Size does not match at|Expected index \[|list of indices|a vector"
        r"|is supposed to be a vector|same number of dimensions",
        *("gather", "scatter", "scatter_", "scatter_add_", "scatter_add", "index_select"))  # fmt: skip
def _index_of_another_size(operation: Operation, _: "re.Match[str]") -> Told | None:
    """An index that has more or fewer dims, or reaches where the tensor has no element."""
    x, index = tensor_of(operation.receiver), tensor_of(operation.operand(1, "index"))
    if operation.name == "index_select":
        return Told((x, index), "index_select takes indices of one dim.") if len(index.size) > 1 else None
    dim = operation.argument(0, "dim") % max(len(x.size), 1)
    pairs = enumerate(zip(index.size, x.size, strict=False))
    beyond = [f"dim {d} is {n}, not {m} at most" for d, (n, m) in pairs if d != dim and n > m]
    if len(index.size) != len(x.size):
        return Told((x, index), "Both must have the same number of dims.", with_ones(operation, index))
    return Told((x, index), f"But for dim {dim}, the index may not be larger: {beyond[0]}.") if beyond else None


# Layers and losses.


@family(r"expected input\[(?P<input>.*?)\] to have (?P<wanted>\d+) channels, but got (?P<found>\d+)")
@family(r"running_mean should contain (?P<found>\d+) elements not (?P<wanted>\d+)")
@family(r"normalized_shape=\[(?P<wanted>\d+)\],.* input of size\[(?P<input>.*)\]")
@family(r"input_size\. Expected (?P<wanted>\d+), got (?P<found>\d+)")
@family(r"embedding dimension of (?P<wanted>\d+), but got (?P<found>\d+)")
@family(r"input\d size does not match weight size: got (?P<found>\d+) but expected (?P<wanted>\d+)")
def _layer(operation: Operation, said: "re.Match[str]") -> Told | None:
    """An input whose dim is not as large as a layer's weights want it."""
    named = said.groupdict()
    x, wanted = tensor_of(operation.receiver), int(said["wanted"])
    if "input1" not in said.string and "input2" in said.string:
        x = tensor_of(operation.operand(0, "input2"))
    shape = numbers(named.get("input")) or x.size
    found = int(named.get("found") or shape[-1])
    channels = "channels" in said[0] or "running" in said[0]
    dim = 1 - (len(shape) - len(x.size)) if channels else len(x.size) - 1
    if shape not in (x.size, (1, *x.size)) or x.size[dim : dim + 1] != (found,):
        return None
    weights = [w for w in operation.tensors if w is not x and wanted in w.size and "." in w.text][:1]
    where = f"dim {dim}" if channels else "the last dim"
    clause = f"{operation.module or operation.name.strip('?')} wants size {wanted} at {where} of {x.name}: {found} is there."
    ways = [*turned(operation, x), *with_ones(operation, x)]
    return Told((x, *weights), clause, ways)


@family(r"Expected (?P<rank>\dD.*) input to (?P<who>conv\w+)|expected (?P<more>\dD.*?) input")
def _layer_of_other_rank(operation: Operation, said: "re.Match[str]") -> Told | None:
    """An input of a number of dims that a layer is not made for."""
    x = tensor_of(operation.receiver)
    rank = said["rank"] or said["more"]
    if str(len(x.size)) in re.findall(r"\d", rank):
        return None
    who = operation.module or said["who"] or "The layer"
    return Told((x,), f"{who} takes {rank}, and {x.name} has {len(x.size)} dims.")


@family(r"padded input size per channel: \((?P<padded>[\d x]+)\)\. Kernel size: \((?P<kernel>[\d x]+)\)")
def _window_too_large(operation: Operation, said: "re.Match[str]") -> Told | None:
    """A window larger than what it slides over."""
    x = tensor_of(operation.receiver)
    clause = f"{operation.module or operation.name} slides a window of {said['kernel']} over {said['padded']}, padding included."
    return Told((x,), clause)


@family(r"Expected hidden\S* size \((?P<wanted>.*?)\), got \[(?P<found>.*?)\]")
def _hidden_state(operation: Operation, said: "re.Match[str]") -> Told | None:
    """A state that does not fit the layers, the batch and the size of a recurrent layer."""
    found = numbers(said["found"])
    x = next((x for x in operation.tensors if x.size == found), None)
    clause = f"It has to be {numbers(said['wanted'])}: layers × directions, batch, hidden size."
    return Told((x,), clause) if x else None


@family(rf"size mismatch for (?P<name>[\w.]+): copying a param with shape (?P<theirs>{_SIZE}).* is (?P<own>{_SIZE})")
def _other_weights(_: Operation, said: "re.Match[str]") -> Told | None:
    """Weights of another model than the one that they are to be loaded into."""
    sentence = (
        f"{said['name']} has size {numbers(said['theirs'])} in what is loaded, and size "
        f"{numbers(said['own'])} in the model. Its elements are copied one by one, so both must be equal."
    )
    return Told((), sentence, alone=True)


@family(r"batch_size|multi-target|size mismatch \(got|Expected target size",
        *("cross_entropy", "cross_entropy_loss", "nll_loss", "nll_loss_nd"))  # fmt: skip
def _target_of_another_size(operation: Operation, _: "re.Match[str]") -> Told | None:
    """A target that is not there for each prediction."""
    x, y = tensor_of(operation.receiver), tensor_of(operation.operand(0, "target"))
    fits = (x.size[0], *x.size[2:])
    if len(x.size) < 2 or y.size == fits:
        return None
    clause = f"Dim 1 of {x.name} is the classes, so the targets are of size {fits}."
    return Told((x, y), clause, [*with_ones(operation, y), *turned(operation, x)])


@family(r"[tT]arget size .* input size|must have the same size", "binary_cross_entropy",
        "binary_cross_entropy_with_logits")  # fmt: skip
def _one_target_each(operation: Operation, _: "re.Match[str]") -> Told | None:
    """A target that is not of the size of what was predicted."""
    x, y = tensor_of(operation.receiver), tensor_of(operation.operand(0, "target"))
    return None if x.size == y.size else Told((x, y), "There is a target for each element.", with_ones(operation, y, x))


@family(rf"Invalid shape (?P<size>{_SIZE}) for image data")
def _no_image(operation: Operation, said: "re.Match[str]") -> Told | None:
    """What matplotlib cannot show as an image."""
    size = numbers(said["size"])
    x = next((t for t in operation.tensors if t.size == size), None)
    if x is None:
        return None
    form = ""
    if len(size) == 3 and size[0] in (3, 4):
        form = "{}.transpose(1, 2, 0)" if x.is_array else "{}.permute(1, 2, 0)"
    elif len(size) == 3 and 1 in (size[0], size[2]):
        form = "{}[0]" if size[0] == 1 else "{}[..., 0]"
    way = with_operand(operation, x, form, known=True) if form else None
    return Told((x,), "An image has rows and columns, and then perhaps 3 or 4 colours as its last dim.", [way])


@family(rf"same first dimension, but have shapes (?P<x>{_SIZE}) and (?P<y>{_SIZE})")
def _no_curve(operation: Operation, said: "re.Match[str]") -> Told | None:
    """Two axes of a plot with different numbers of points."""
    found: list[Any] = [next((t for t in operation.tensors if t.size == numbers(said[k])), None) for k in "xy"]
    return None if None in found else Told(tuple(found), "There is one y for each x, along the first dim.")
