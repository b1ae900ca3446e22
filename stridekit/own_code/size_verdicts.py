"""Sizes that do not fit each other: broadcasting, writing, products, joining, picking, layers."""

import ast
import re
from collections.abc import Iterator

from stridekit.layouts.broadcasting import (
    ExpandObstacle,
    Misfit,
    broadcast_sizes,
    plan_expand,
)
from stridekit.layouts.layout import Ints
from stridekit.own_code.operations import Operand, Operation
from stridekit.own_code.safe_lookup import Unknown
from stridekit.own_code.verdicts import (
    SIZE,
    Told,
    family,
    header,
    numbers,
    of_named_sizes,
    receiver,
    rule,
    tensor_of,
)
from stridekit.own_code.ways_out import (
    WayOut,
    turned,
    with_keyword,
    with_name,
    with_ones,
    with_operand,
    written,
)

_ATTENTION = "scaled_dot_product_attention"
_PRODUCTS = "@ @= matmul dot mm mv bmm addmm baddbmm inner linear cdist tensordot"
_BOTH_LAST = ("inner", "linear", "cdist")
_JOINS = "cat concat concatenate append stack hstack vstack column_stack dstack"


def _misfit(outcome: Misfit) -> str:
    return (
        f"aligned at the right, dim -{outcome.place} is {outcome.first} in one and {outcome.second} "
        "in another"
    )


@family(r"of tensor a \((?P<a>\d+)\) must match|dimensions of batch2", _ATTENTION)
def _attention(operation: Operation, _: "re.Match[str]") -> Told | None:
    """A mask that does not fit the scores; queries, keys and values that do not fit each other."""
    q, k = tensor_of(operation.receiver), tensor_of(operation.operand(0, "key"))
    v, mask = tensor_of(operation.operand(1, "value")), operation.operand(2, "attn_mask")
    batch = broadcast_sizes(q.size[:-2], k.size[:-2], v.size[:-2])
    if isinstance(batch, Misfit) or q.size[-1] != k.size[-1]:
        clause = (
            "The last dim of queries and keys must be equal, and all but the last two broadcast."
        )
        return Told((q, k, v), clause)
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
    if operation.name in (_ATTENTION, "einsum", "pad_sequence", *_PRODUCTS.split()):
        return None
    if operation.target is not None:
        found = _not_written(operation, said)
        if found is not None:
            return found
    tensors = operation.tensors
    outcome = broadcast_sizes(*(x.size for x in tensors))
    if not isinstance(outcome, Misfit):
        return None
    named = [numbers(part) for part in re.findall(r"\([\d,]*\)", said["shapes"] or "")]
    if named and any(x.size not in named for x in tensors):
        return None
    if said["a"] and {outcome.first, outcome.second} != {int(said["a"]), int(said["b"])}:
        return None
    clause = f"{_misfit(outcome).capitalize()}: they must be equal there, or one of them 1."
    return Told(tuple(tensors), clause, _broadcast_ways(operation, tensors))


def _broadcast_ways(operation: Operation, tensors: list[Operand]) -> Iterator[WayOut | None]:
    if len(tensors) != 2:
        return
    small, large = sorted(reversed(tensors), key=lambda x: len(x.size))
    yield with_keyword(operation, small.node, **{"keepdims" if small.is_array else "keepdim": True})
    for x, wanted in ((small, large.size), (large, small.size)):
        ones = (1,) * (len(wanted) - len(x.size))
        for at in range(len(x.size), 0, -1):
            if ones and broadcast_sizes((*x.size[:at], *ones, *x.size[at:]), wanted) == wanted:
                index = ", ".join([":"] * at + ["None"] * len(ones))
                yield with_operand(operation, x, f"{{}}[{index}]")
        if len(x.size) == 2 and broadcast_sizes(x.size[::-1], wanted) == wanted:
            yield with_operand(operation, x, "{}.T")


@family(
    rf"expanded size of the tensor.*Target sizes: (?P<into>{SIZE}).*Tensor sizes: (?P<size>{SIZE})"
)
@family(rf"\w+{{(?P<size>{SIZE})}}, size=(?P<into>{SIZE})\): the number of sizes")
@family(rf"value (?:tensor|array) of shape (?P<size>{SIZE}).* result of shape (?P<into>{SIZE})")
@family(rf"input array from shape (?P<size>{SIZE}) into shape (?P<into>{SIZE})")
@family(r"cannot assign (?P<size>\d+) input values to the (?P<into>\d+) output values")
def _not_written(operation: Operation, said: "re.Match[str]") -> Told | None:
    """A value that does not broadcast to where it is to be written, or to what it is expanded to."""
    named = said.groupdict()
    into, size = (numbers(named[key]) if named.get(key) else None for key in ("into", "size"))
    target = operation.target
    if target is None:
        return _not_expanded(operation, into or (), size)
    inside = operation.args[1:] if operation.name == "[]=" else operation.operands
    values = [x for x in inside if x.text != target.text and _is_value(x)]
    own = target.size if target.is_tensor else into
    if not values or own is None:
        raise Unknown(target.text)
    value = values[-1]
    if (into and not _alike(into, own)) or (size is not None and not _alike(size, value.size)):
        return None
    outcome = broadcast_sizes(own, *(x.size for x in values))
    if outcome == own:
        return None
    why = (
        _misfit(outcome)
        if isinstance(outcome, Misfit)
        else f"the two broadcast to {outcome}, and what is written to keeps its size {own}"
    )
    sentence = (
        f"{target.name} has size {own}, and {value.name} size {value.size}. What is written is "
        f"expanded to the size of what it is written to: {why}."
    )
    place = target if target.is_tensor else operation.receiver
    return Told((place, value), sentence, _written_otherwise(operation, target, value), alone=True)


def _alike(a: Ints, b: Ints) -> bool:
    """Whether two sizes differ in dims of size 1 at the left at most."""
    short, long = sorted((a, b), key=len)
    more = len(long) - len(short)
    return long[more:] == short and set(long[:more]) <= {1}


def _is_value(x: Operand) -> bool:
    try:
        return len(x.size) > 0 and type(x.value) is not slice
    except (Unknown, ValueError):
        return False


def _written_otherwise(
    operation: Operation, target: Operand, value: Operand
) -> Iterator[WayOut | None]:
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
    if operation.name.startswith(("expand", "broadcast_to")):
        return None
    for x in operation.tensors:
        plan = plan_expand(header(x).layout, into) if x.size == size else None
        if isinstance(plan, ExpandObstacle):
            return Told((x,), f"It is to be expanded to {into}: {plan.reason}.")
    return None


@family(
    r"cannot be multiplied|batch2|size mismatch|tensor size|core dim|not aligned|remapped shapes"
    r"|dimensions need to match|for sum|number of columns|must match the|same reduction dim",
    _PRODUCTS,
)
def _no_product(operation: Operation, _: "re.Match[str]") -> Told | None:
    """Two sizes that have no product."""
    name = operation.name
    skipped = 1 if name in ("addmm", "baddbmm") else 0
    a, b = [tensor_of(x) for x in (operation.receiver, *operation.args)[skipped : skipped + 2]]
    meets, where = (
        (-1, "the last dim")
        if name in _BOTH_LAST or len(b.size) == 1
        else (-2, "the last dim but one")
    )
    if name == "tensordot":
        meets, where = 0, "dim 0"
    who = f"{operation.module} multiplies" if operation.module else "A product goes"
    clause = f"{who} along the last dim of {a.name} and {where} of {b.name}"
    if a.size[-1] != b.size[meets]:
        return Told(
            (a, b), f"{clause}: {a.size[-1]} is not {b.size[meets]}.", turned(operation, b, a)
        )
    if name.endswith("bmm") and a.size[0] != b.size[0]:
        return Told((a, b), f"{clause}, one matrix after another: {a.size[0]} is not {b.size[0]}.")
    outcome = broadcast_sizes(a.size[:-2], b.size[:-2])
    if isinstance(outcome, Misfit):
        return Told((a, b), f"{clause}, and all dims but the last two broadcast: those do not.")
    return None


rule(
    r"must be a (?:matrix|vector|3D)|1D tensors expected|Expected 1-D argument",
    "mm mv bmm dot outer addmm",
    "mm and addmm take 2 and 2 dims, mv 2 and 1, bmm 3 and 3, dot and outer 1 and 1; matmul takes more.",
    ways=lambda _, xs: [written("torch.matmul({}, {})", *xs)],
)
rule(r"must be square|be batches of square", "", "{name} is for square matrices.", of=receiver)
rule(
    r"Incompatible shapes of A|solve1?: Input operand",
    "solve",
    "The equations are the rows of one, and the right sides those of the other: as many of both.",
)


@family(r"einsum|einstein|remapped shapes|subscripts", "einsum")
def _einsum(operation: Operation, _: "re.Match[str]") -> Told | None:
    """A letter that stands for two sizes, or letters that are not as many as dims."""
    equation, tensors = operation.receiver.value, operation.tensors
    terms = equation.replace(" ", "").split("->")[0].split(",") if type(equation) is str else []
    if "..." in str(equation) or len(terms) != len(tensors):
        return None
    sizes: dict[str, tuple[int, Operand]] = {}
    for term, x in zip(terms, tensors, strict=True):
        if len(term) != len(x.size):
            return Told((x,), f"{term} names {len(term)} dims, and it has {len(x.size)}.")
        for letter, n in zip(term, x.size, strict=True):
            m, other = sizes.setdefault(letter, (n, x))
            if n != m and 1 not in (n, m):
                clause = (
                    f"{letter} stands for one size, and is {m} in {other.name} and {n} in {x.name}."
                )
                return Told((other, x), clause)
    return None


@family(
    r"must match|same number of dim|be concatenated|equal size|same shape|out of (?:range|bounds)",
    _JOINS,
)
def _not_joined(operation: Operation, _: "re.Match[str]") -> Told | None:
    """Tensors that differ in another dim than the one along which they are joined."""
    name, (first, *rest) = operation.name, [x for x in operation.operands if _is_part(x)]
    dims = {"hstack": min(len(first.size), 2) - 1, "vstack": 0, "column_stack": 1, "dstack": 2}
    dim = dims.get(name)
    if dim is None:
        dim = operation.argument(1 if name == "append" else 0, "dim", "axis", default=0)
    for x in rest:
        a, b = (_at_least_2d(name, y.size) for y in (first, x))
        differ = [d for d in range(len(a)) if a[d : d + 1] != b[d : d + 1]]
        others = [d for d in differ if d != dim % len(a)]
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
        return Told((first, x), clause, _joined_otherwise(operation, first, x))
    return None


def _is_part(x: Operand) -> bool:
    return x.is_tensor or type(x.value).__module__ == "numpy"


def _at_least_2d(name: str, size: Ints) -> Ints:
    missing = (1,) * (2 - len(size)) if name in ("vstack", "column_stack", "dstack") else ()
    return (*missing, *size) if name == "vstack" else (*size, *missing)


def _joined_otherwise(operation: Operation, a: Operand, b: Operand) -> Iterator[WayOut | None]:
    many = operation.receiver
    if operation.name == "stack" and not a.is_array:
        yield written("torch.nn.utils.rnn.pad_sequence({}, batch_first=True)", many)
    if not a.size and not a.is_array:
        yield written("torch.stack({})", many)
    if len(a.size) == len(b.size) and operation.name in ("cat", "concat", "concatenate"):
        for other in range(len(a.size)):
            yield with_keyword(
                operation, operation.node, **{"axis" if a.is_array else "dim": other}
            )
    if len(a.size) != len(b.size):
        yield from with_ones(operation, min(a, b, key=lambda x: len(x.size)))


@family(
    rf"Caught RuntimeError in DataLoader[\s\S]*got ({SIZE}) at entry 0 and ({SIZE}) at entry (\d+)"
)
def _worker_not_joined(_: Operation, said: "re.Match[str]") -> Told:
    """Samples of different sizes, in another process."""
    sentence = (
        f"The worker stacks the samples of a batch, side by side along a new dim: they must have one size, "
        f"and sample 0 has size {numbers(said[1])}, sample {said[3]} size {numbers(said[2])}."
    )
    return Told((), sentence, alone=True)


@family(r"shape of the mask|boolean index did not match", "[] []=")
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
        covered = x.size[dim : dim + len(mask.size)]
        if covered != mask.size:
            clause = f"A mask has a value for each element of the dims that it picks from: from dim {dim} on, {covered}."
            fits = [
                at for at in range(len(x.size)) if x.size[at : at + len(mask.size)] == mask.size
            ]
            forms = [", ".join([":"] * at + ["{1}"]) for at in fits if operation.name == "[]"]
            return Told((mask, x), clause, [written(f"{{0}}[{form}]", x, mask) for form in forms])
        dim += len(mask.size)
    return None


rule(
    r"indexing \w+ could not be broadcast together with shapes (?P<lists>.*)",
    "[] []=",
    "Lists of indices are read together, one index of each, and theirs are of sizes {lists}.",
    of=receiver,
)
_GATHERS = "gather scatter scatter_ scatter_add scatter_add_"


def _and_index(operation: Operation) -> list[Operand]:
    return [tensor_of(operation.receiver), tensor_of(operation.operand(1, "index"))]


rule(
    r"Index tensor must have|same number of dim",
    _GATHERS,
    "Both must have the same number of dims.",
    of=_and_index,
    ways=lambda operation, xs: with_ones(operation, xs[1]),
)
rule(
    r"apart from dimension (?P<dim>\d+)",
    _GATHERS,
    "But for dim {dim}, no dim of the index may be larger than that of what it picks from.",
    of=_and_index,
)
rule(r"vector", "index_select", "index_select takes indices of one dim.", of=_and_index)


@family(
    r"expected input\[(?P<input>.*?)\] to have (?P<wanted>\d+) channels, but got (?P<found>\d+)"
)
@family(r"running_mean should contain (?P<found>\d+) elements not (?P<wanted>\d+)")
@family(r"normalized_shape=\[(?P<wanted>\d+)\],.* input of size\[(?P<input>.*)\]")
@family(r"input_size\. Expected (?P<wanted>\d+), got (?P<found>\d+)")
@family(r"embedding dimension of (?P<wanted>\d+), but got (?P<found>\d+)")
@family(
    r"input(?P<place>[12]) size does not match weight size: got (?P<found>\d+) but expected (?P<wanted>\d+)"
)
def _layer(operation: Operation, said: "re.Match[str]") -> Told | None:
    """An input whose dim is not as large as a layer's weights want it."""
    named, wanted = said.groupdict(), int(said["wanted"])
    x = tensor_of(
        operation.receiver if named.get("place") != "2" else operation.operand(0, "input2")
    )
    shape = numbers(named.get("input")) or x.size
    found = int(named.get("found") or shape[-1])
    channels = "channels" in said[0] or "running" in said[0]
    dim = 1 - (len(shape) - len(x.size)) if channels else len(x.size) - 1
    if shape not in (x.size, (1, *x.size)) or x.size[dim : dim + 1] != (found,):
        return None
    weights = [w for w in operation.tensors if w is not x and wanted in w.size and "." in w.text][
        :1
    ]
    who = operation.module or operation.name.strip("?")
    where = f"dim {dim}" if channels else "the last dim"
    clause = f"{who} wants size {wanted} at {where} of {x.name}: {found} is there."
    return Told((x, *weights), clause, [*turned(operation, x), *with_ones(operation, x)])


rule(
    r"Expected (?P<rank>\dD.*) input to|expected (?P<more>\dD.*?) input",
    "",
    "{who} takes {rank}{more}: another number of dims.",
    of=receiver,
)
rule(
    r"padded input size per channel: \((?P<padded>[\d x]+)\)\. Kernel size: \((?P<kernel>[\d x]+)\)",
    "",
    "{who} slides a window of {kernel} over {padded}, padding included.",
    of=receiver,
)
rule(
    rf"Expected hidden\S* size \((?P<wanted>.*?)\), got (?P<size>{SIZE})",
    "",
    "It has to be ({wanted}): layers × directions, batch, hidden size.",
    of=of_named_sizes,
)
rule(
    rf"size mismatch for (?P<part>[\w.]+): copying a param with shape (?P<theirs>{SIZE}).* is (?P<own>{SIZE})",
    "",
    "{part} has size {theirs} in what is loaded, and size {own} in the model. Its elements are copied one by "
    "one, so both must be equal.",
    of=lambda _: [],
)
rule(
    r"batch_size|multi-target|size mismatch \(got|Expected target size",
    "cross_entropy cross_entropy_loss nll_loss nll_loss_nd",
    "Dim 1 of the first is the classes, and there is a target for each place in its other dims.",
    ways=lambda operation, xs: [*with_ones(operation, xs[1]), *turned(operation, xs[0])],
)
rule(
    r"[tT]arget size .* input size|must have the same size",
    "binary_cross_entropy binary_cross_entropy_with_logits",
    "There is a target for each element.",
    ways=lambda operation, xs: with_ones(operation, xs[1], xs[0]),
)


def _as_image(operation: Operation, xs: list[Operand]) -> Iterator[WayOut | None]:
    (x,) = xs
    if len(x.size) == 3 and x.size[0] in (3, 4):
        form = "{}.transpose(1, 2, 0)" if x.is_array else "{}.permute(1, 2, 0)"
        yield with_operand(operation, x, form, known=True)
    elif len(x.size) == 3 and 1 in (x.size[0], x.size[2]):
        yield with_operand(operation, x, "{}[0]" if x.size[0] == 1 else "{}[..., 0]", known=True)


rule(
    rf"Invalid shape (?P<size>{SIZE}) for image data",
    "",
    "An image has rows and columns, and then perhaps 3 or 4 colours as its last dim.",
    of=of_named_sizes,
    ways=_as_image,
)
rule(
    rf"same first dimension, but have shapes (?P<size>{SIZE}) and (?P<size2>{SIZE})",
    "",
    "There is one y for each x, along the first dim.",
    of=of_named_sizes,
)
