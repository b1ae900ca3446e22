"""Sizes that do not fit each other: broadcasting, writing, products, joining, picking, layers."""

import ast
import re
from collections.abc import Iterator

from stridekit.layouts.broadcasting import Misfit, broadcast_sizes
from stridekit.layouts.layout import Ints
from stridekit.own_code.operations import Operand, Operation
from stridekit.own_code.verdicts import (
    SIZE,
    Grounds,
    family,
    named_sizes,
    numbers,
    receiver,
    rule,
    tensor_of,
)
from stridekit.own_code.ways_out import (
    WayOut,
    fitted,
    swapped,
    with_keyword,
    with_name,
    written,
)

_PRODUCTS = "@ @= matmul dot mm mv bmm addmm baddbmm inner linear cdist tensordot"
_JOINS = "cat concat concatenate append stack hstack vstack column_stack dstack"
_GATHERS = "gather scatter scatter_ scatter_add scatter_add_"


_ATTENTION = "scaled_dot_product_attention"


def _told(
    operation: Operation,
    xs: list[Operand],
    into: Ints | None = None,
    about: str = "",
    shown: tuple[Operand, ...] = (),
) -> Grounds | None:
    """What does not broadcast: some tensors to each other, or into a size; None where they do."""
    outcome = broadcast_sizes(*([into] if into else []), *(x.size for x in xs))
    if isinstance(outcome, Misfit):
        clause = (
            f"{about}aligned at the right, dim -{outcome.place} is {outcome.first} in one and "
            f"{outcome.second} in another, where they must be equal, or one of them 1."
        )
    elif into in (None, outcome):
        return None
    else:
        clause = f"{about}together they are of size {outcome}."
    clause = clause[0].upper() + clause[1:] if not about else clause
    return Grounds(shown or tuple(xs), clause, _otherwise(operation, xs, into))


def _otherwise(
    operation: Operation, xs: list[Operand], into: Ints | None
) -> Iterator[WayOut | None]:
    """The same with tensors that broadcast, or without writing in place."""
    if operation.name == "[]=" and xs[-1].size == operation.receiver.size:
        yield swapped(operation, xs[-1].node, f"{{}}[{operation.args[0].text}]")
    if operation.name == _ATTENTION:
        yield with_keyword(operation, operation.node, "enable_gqa", True)
    if into is not None:
        yield from fitted(operation, xs[-1], to=into)
    elif len(xs) == 2:
        small, large = xs if len(xs[0].size) < len(xs[1].size) else xs[::-1]
        word = "keepdims" if small.is_array else "keepdim"
        yield with_keyword(operation, small.node, word, True)
        yield from fitted(operation, small, to=large.size)
        yield from fitted(operation, large, to=small.size)
    if isinstance(operation.node, ast.AugAssign) and isinstance(operation.node.target, ast.Name):
        form = f"{{0}} = {{0}} {operation.name[:-1]} {{1}}"
        yield written(operation, form, operation.receiver, operation.args[0])
    if operation.name.endswith("_"):
        yield with_name(operation, operation.name[:-1])


@family(r"of tensor a \((?P<a>\d+)\) must match|dimensions of batch2", _ATTENTION)
def _attention(operation: Operation, _: "re.Match[str]") -> Grounds | None:
    """A mask that does not fit the scores, or queries and keys that have no scores."""
    q, k = tensor_of(operation.receiver), tensor_of(operation.operand(0, "key"))
    batch = broadcast_sizes(q.size[:-2], k.size[:-2])
    if isinstance(batch, Misfit) or q.size[-1] != k.size[-1]:
        about = "The last dims of queries and keys must be equal, and the first broadcast: "
        return _told(operation, [q, k], about=about)
    scores = (*batch, q.size[-2], k.size[-2])
    about = f"The mask has to broadcast to the scores, of size {scores}, a row for each query: "
    mask = tensor_of(operation.operand(2, "attn_mask"))
    return _told(operation, [mask], scores, about, (mask, q, k))


@family(
    r"of tensor a \((?P<a>\d+)\) must match .* b \((?P<b>\d+)\)|doesn't match the broadcast shape"
    r"|(?:operands|objects) c\w+ (?:not )?be broadcast[^(]* (?P<sizes>\(.*\))"
)
def _not_together(operation: Operation, said: "re.Match[str]") -> Grounds | None:
    """The tensors of one operation do not broadcast."""
    if operation.name in (_ATTENTION, "einsum", "pad_sequence", *_PRODUCTS.split()):
        return None
    if operation.target is not None:
        return _not_written(operation, said)
    xs = [x for x in operation.tensors if x.size]
    outcome = broadcast_sizes(*(x.size for x in xs))
    named = [numbers(part) for part in re.findall(SIZE, said["sizes"] or "")]
    if named and any(x.size not in named for x in xs):
        return None
    told = isinstance(outcome, Misfit) and {outcome.first, outcome.second}
    return None if said["a"] and told != {int(said["a"]), int(said["b"])} else _told(operation, xs)


@family(rf"expanded size of.*Target sizes: (?P<into>{SIZE}).*Tensor sizes: (?P<size>{SIZE})")
@family(rf"\w+{{(?P<size>{SIZE})}}, size=(?P<into>{SIZE})\): the number of sizes")
@family(rf"value (?:tensor|array) of shape (?P<size>{SIZE}).* result of shape (?P<into>{SIZE})")
@family(rf"input array from shape (?P<size>{SIZE}) into shape (?P<into>{SIZE})")
@family(r"cannot assign (?P<size>\d+) input values to the (?P<into>\d+) output values")
def _not_written(operation: Operation, said: "re.Match[str]") -> Grounds | None:
    """What is written does not broadcast to where it goes; or something else, to a size."""
    named = {k: numbers(v) for k, v in said.groupdict().items() if k in ("into", "size")}
    into, size, target = named.get("into"), named.get("size"), operation.target
    if target is None:
        if operation.name.startswith(("expand", "broadcast_to")):
            return None
        xs = [x for x in operation.tensors if x.size == size]
        return _told(operation, xs[:1], into, f"It is to be expanded to {into}: ") if xs else None
    given = operation.args[1:] if operation.name == "[]=" else operation.operands
    xs = [x for x in given if _is_sized(x) and x.text != target.text]
    own = target.size if target.is_tensor else into
    if not xs or own is None or not _alike(into or own, own):
        return None
    if size is not None and not _alike(xs[-1].size, size):
        return None
    about = f"{target.name} keeps its size {own}, and what is written is expanded to it: "
    shown = (target if target.is_tensor else operation.receiver, xs[-1])
    return _told(operation, xs, own, about, shown)


def _is_sized(x: Operand) -> bool:
    return (x.is_tensor or type(x.value) in (list, tuple)) and x.size != ()


def _alike(a: Ints, b: Ints) -> bool:
    """Whether two sizes differ in dims of size 1 at the left at most."""
    short, long = sorted((a, b), key=len)
    more = len(long) - len(short)
    return long[more:] == short and set(long[:more]) <= {1}


@family(
    r"cannot be multiplied|batch2|size mismatch|tensor size|core dim|not aligned|remapped shapes"
    r"|dimensions need to match|for sum|number of columns|must match the|same reduction dim",
    _PRODUCTS,
)
def _no_product(operation: Operation, _: "re.Match[str]") -> Grounds | None:
    """Two sizes that have no product."""
    name, given = operation.name, operation.operands
    a, b = map(tensor_of, given[1:3] if name in ("addmm", "baddbmm") else given[:2])
    meets, where = -2, "the last dim but one"
    if name in ("inner", "linear", "cdist") or len(b.size) == 1:
        meets, where = -1, "the last dim"
    elif name == "tensordot":
        meets, where = 0, "dim 0"
    who = f"{operation.module} multiplies" if operation.module else "A product goes"
    clause = f"{who} along the last dim of {a.name} and {where} of {b.name}"
    if a.size[-1] != b.size[meets]:
        turned = [x for x, n in ((b, a.size[-1]), (a, b.size[meets])) if n in x.size[-2:]]
        ways = fitted(operation, *turned, ones=False)
        return Grounds((a, b), f"{clause}: {a.size[-1]} is not {b.size[meets]}.", ways)
    outcome = broadcast_sizes(a.size[:-2], b.size[:-2])
    if name.endswith("bmm") and a.size[0] != b.size[0]:
        return Grounds(
            (a, b), f"{clause}, one matrix after another: {a.size[0]} is not {b.size[0]}."
        )
    if isinstance(outcome, Misfit):
        return Grounds((a, b), f"{clause}, and all dims but the last two broadcast: those do not.")
    return None


rule(
    r"must be a (?:matrix|vector|3D)|1D tensors expected|Expected 1-D argument",
    "mm mv bmm dot outer addmm",
    "mm and addmm take 2 and 2 dims, mv 2 and 1, bmm 3 and 3, dot and outer 1 and 1; matmul more.",
    ways=lambda operation, xs: [written(operation, "torch.matmul({0}, {1})", *xs)],
)
rule(r"must be square|be batches of square", "", "{name} is for square matrices.", of=receiver)
rule(
    r"Incompatible shapes of A|solve1?: Input operand",
    "solve",
    "The equations are the rows of one, and the right sides those of the other: as many of both.",
)


@family(r"einsum|einstein|remapped shapes|subscripts", "einsum")
def _einsum(operation: Operation, _: "re.Match[str]") -> Grounds | None:
    """A letter that stands for two sizes, or letters that are not as many as dims."""
    equation, tensors = operation.receiver.value, operation.tensors
    terms = equation.replace(" ", "").split("->")[0].split(",") if type(equation) is str else []
    if "..." in str(equation) or len(terms) != len(tensors):
        return None
    sizes: dict[str, tuple[int, Operand]] = {}
    for term, x in zip(terms, tensors, strict=True):
        if len(term) != len(x.size):
            return Grounds((x,), f"{term} names {len(term)} dims, and it has {len(x.size)}.")
        for letter, n in zip(term, x.size, strict=True):
            m, other = sizes.setdefault(letter, (n, x))
            if n != m and 1 not in (n, m):
                clause = (
                    f"{letter} stands for one size, and is {m} in {other.name} and {n} in {x.name}."
                )
                return Grounds((other, x), clause)
    return None


@family(
    r"must match|same number of dim|be concatenated|equal size|same shape|out of (?:range|bounds)",
    _JOINS,
)
def _not_joined(operation: Operation, _: "re.Match[str]") -> Grounds | None:
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
        return Grounds((first, x), clause, _joined_otherwise(operation, first, x))
    return None


def _is_part(x: Operand) -> bool:
    return x.is_tensor or type(x.value).__module__ == "numpy"


def _at_least_2d(name: str, size: Ints) -> Ints:
    missing = (1,) * (2 - len(size)) if name in ("vstack", "column_stack", "dstack") else ()
    return (*missing, *size) if name == "vstack" else (*size, *missing)


def _joined_otherwise(operation: Operation, a: Operand, b: Operand) -> Iterator[WayOut | None]:
    many = operation.receiver
    if operation.name == "stack" and not a.is_array:
        yield written(operation, "torch.nn.utils.rnn.pad_sequence({0}, batch_first=True)", many)
    if not a.size and not a.is_array:
        yield written(operation, "torch.stack({0})", many)
    if len(a.size) == len(b.size) and operation.name in ("cat", "concat", "concatenate"):
        for other in range(len(a.size)):
            yield with_keyword(operation, operation.node, "axis" if a.is_array else "dim", other)
    if len(a.size) != len(b.size):
        yield from fitted(operation, min(a, b, key=lambda x: len(x.size)))


@family(
    rf"Caught RuntimeError in DataLoader[\s\S]*got ({SIZE}) at entry 0 and ({SIZE}) at entry (\d+)"
)
def _worker_not_joined(_: Operation, said: "re.Match[str]") -> Grounds:
    """Samples of different sizes, in another process."""
    sentence = (
        "The worker stacks the samples of a batch, side by side along a new dim: they must have "
        f"one size, and sample 0 has {numbers(said[1])}, sample {said[3]} {numbers(said[2])}."
    )
    return Grounds((), sentence, alone=True)


@family(r"shape of the mask|boolean index did not match", "[] []=")
def _mask_of_another_size(operation: Operation, _: "re.Match[str]") -> Grounds | None:
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
            clause = "A mask has a value for each element of the dims that it picks from: from dim "
            clause += f"{dim} on, {covered}."
            fits = [
                at for at in range(len(x.size)) if x.size[at : at + len(mask.size)] == mask.size
            ]
            forms = [", ".join([":"] * at + ["{1}"]) for at in fits if operation.name == "[]"]
            return Grounds(
                (mask, x), clause, [written(operation, f"{{0}}[{form}]", x, mask) for form in forms]
            )
        dim += len(mask.size)
    return None


rule(
    r"indexing \w+ could not be broadcast together with shapes (?P<lists>.*)",
    "[] []=",
    "Lists of indices are read together, one index of each, and theirs are of sizes {lists}.",
    of=receiver,
)
_GATHERS = "gather scatter scatter_ scatter_add scatter_add_"


def _and_index(operation: Operation, _: "re.Match[str]") -> list[Operand]:
    return [tensor_of(operation.receiver), tensor_of(operation.operand(1, "index"))]


rule(
    r"Index tensor must have|same number of dim",
    _GATHERS,
    "Both must have the same number of dims.",
    of=_and_index,
    ways=lambda operation, xs: fitted(operation, xs[1], to=(*xs[1].size, 1)),
)
rule(
    r"apart from dimension (?P<dim>\d+)",
    _GATHERS,
    "No dim of the index may be larger than that of the values, nor, but for dim {dim}, than that "
    "of what is picked from.",
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
    r"input(?P<place>[12]) size does not match .* got (?P<found>\d+) but expected (?P<wanted>\d+)"
)
def _layer(operation: Operation, said: "re.Match[str]") -> Grounds | None:
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
    return Grounds((x, *weights), clause, fitted(operation, x))


rule(
    r"Expected (?P<rank>\dD.*) input to|expected (?P<more>\dD.*?) input",
    "",
    "{who} takes {rank}{more}: another number of dims.",
    of=receiver,
)
rule(
    r"size per channel: \((?P<padded>[\d x]+)\)\. Kernel size: \((?P<kernel>[\d x]+)\)",
    "",
    "{who} slides a window of {kernel} over {padded}, padding included.",
    of=receiver,
)
rule(
    rf"Expected hidden\S* size \((?P<wanted>.*?)\), got (?P<size>{SIZE})",
    "",
    "It has to be ({wanted}): layers × directions, batch, hidden size.",
    of=named_sizes,
)


@family(
    rf"mismatch for (?P<part>[\w.]+): copying .* with shape (?P<theirs>{SIZE}).* is (?P<own>{SIZE})"
)
def _other_weights(_: Operation, said: "re.Match[str]") -> Grounds:
    """Weights of another model than the one that they are to be loaded into."""
    sentence = (
        f"{said['part']} has size {numbers(said['theirs'])} in what is loaded, and size "
        f"{numbers(said['own'])} in the model. Its elements are copied one by one, so both must be "
        "equal."
    )
    return Grounds((), sentence, alone=True)


rule(
    r"batch_size|multi-target|size mismatch \(got|Expected target size",
    "cross_entropy cross_entropy_loss nll_loss nll_loss_nd",
    "Dim 1 of the first is the classes, and there is a target for each place in its other dims.",
    ways=lambda operation, xs: fitted(operation, xs[1], *(x for x in xs[:1] if len(x.size) > 2)),
)
rule(
    r"[tT]arget size .* input size|must have the same size",
    "binary_cross_entropy binary_cross_entropy_with_logits",
    "There is a target for each element.",
    ways=lambda operation, xs: fitted(operation, xs[1], xs[0]),
)


def _as_image(operation: Operation, xs: list[Operand]) -> Iterator[WayOut | None]:
    (x,) = xs
    if len(x.size) == 3 and x.size[0] in (3, 4) and min(x.size[1:]) > 4:
        form = "{}.transpose(1, 2, 0)" if x.is_array else "{}.permute(1, 2, 0)"
        yield swapped(operation, x.node, form, alone=True)
    elif len(x.size) == 3 and 1 in (x.size[0], x.size[2]):
        yield swapped(operation, x.node, "{}[0]" if x.size[0] == 1 else "{}[..., 0]", alone=True)


rule(
    rf"Invalid shape (?P<size>{SIZE}) for image data",
    "",
    "An image has rows and columns, and then perhaps 3 or 4 colours as its last dim.",
    of=named_sizes,
    ways=_as_image,
)
rule(
    rf"same first dimension, but have shapes (?P<size>{SIZE}) and (?P<size2>{SIZE})",
    "",
    "There is one y for each x, along the first dim.",
    of=named_sizes,
)
