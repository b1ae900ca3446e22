"""An operation that failed: what it is called, and what it was given."""

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from pure_eval import CannotEval

from stridekit.diagrams.scenes.captions import cut
from stridekit.layouts.layout import Layout

if TYPE_CHECKING:
    from stridekit.own_code.shadows import Shadows

# What cannot be known without running code of the user's.
Unknown = CannotEval
# Under this name a shadow holds the user's own tensor, or None.
ORIGINAL = "_stridekit_original"
# What stands for a value that nobody can tell.
MISSING = object()
# So many items of one list are looked at.
ITEMS_MOST = 10_000


def is_a(x: Any, kinds: Any) -> bool:
    """`isinstance`, without asking the object itself, which may say something of its own."""
    return issubclass(type(x), kinds)


def is_tensor(x: Any) -> bool:
    """Whether it is a torch tensor or a NumPy array."""
    return is_a(x, torch.Tensor) or is_array(x)


def is_array(x: Any) -> bool:
    """Whether it is a NumPy array, and of no class of users'."""
    return type(x) in (np.ndarray, Blank)


class Blank(np.ndarray):
    """An array of which only the header is known, and every view of it. It has no values."""

    def __index__(self) -> Any:
        raise Unknown

    __bool__ = __int__ = __float__ = __complex__ = __index__


def layout_of(x: Any) -> Layout:
    """The header of a tensor or an array. Raises Unknown where strides are not whole elements."""
    if is_a(x, torch.Tensor):
        return Layout(tuple(x.size()), x.stride(), x.storage_offset())
    if any(step % x.itemsize for step in x.strides):
        raise Unknown
    return Layout(x.shape, tuple(step // x.itemsize for step in x.strides), 0)


def is_plain_sequence(x: Any) -> bool:
    """Whether it is a list, tuple, range or size, or a tuple with names, and no class of users'."""
    if type(x) in (list, range, torch.Size):
        return True
    own = is_a(x, tuple) and (type(x).__getitem__, type(x).__iter__, type(x).__len__)
    return own == (tuple.__getitem__, tuple.__iter__, tuple.__len__)


def is_short_list(x: Any) -> bool:
    """Whether it is a plain sequence whose items are looked at: no vast one, and no range."""
    if not is_plain_sequence(x) or type(x) is range or len(x) > ITEMS_MOST:
        return False
    return sum(len(y) for y in x if type(y) in (list, tuple)) <= 10 * ITEMS_MOST


def is_data(x: Any) -> bool:
    """Whether it is data through and through, so that torch calls nothing of the user's."""
    if type(x) is slice:
        return all(is_data(part) for part in (x.start, x.stop, x.step))
    if is_plain_sequence(x):
        # A range may be longer than a length can be.
        return (
            x[:ITEMS_MOST] == x if type(x) is range else is_short_list(x) and all(map(is_data, x))
        )
    if type(x) is type:
        return x in (int, float, complex, bool, object, str) or issubclass(x, np.generic)
    plain = is_a(x, torch.Tensor | np.generic | np.dtype) or type(x) in _DATA
    return plain or (is_array(x) and not x.dtype.hasobject)


_DATA = (
    *(int, float, complex, bool, str, bytes, type(None), type(...)),
    *(torch.dtype, torch.device, torch.memory_format, torch.UntypedStorage),
)


def around(node: Any) -> Iterator[Any]:
    """The trees that a node stands in, the innermost first, as `executing` leaves them."""
    while node := getattr(node, "parent", None):
        yield node


def exchanged(tree: ast.AST, swaps: dict[ast.AST, ast.AST]) -> ast.AST:
    """A copy of a tree with some of its nodes exchanged."""
    # `executing` tells nodes their parents: what is around the tree is not to be copied. Nor is
    # what has no fields, such as `ast.Load()`, which all trees share.
    kept: dict[int, Any] = {id(getattr(tree, "parent", None)): None}
    kept |= {id(node): node for node in ast.walk(tree) if not node._fields}
    return deepcopy(tree, kept | {id(old): new for old, new in swaps.items()})


def spelled(node: ast.AST) -> str:
    """A part of a line as it may stand anywhere."""
    text = ast.unparse(node)
    loose = isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare | ast.IfExp | ast.BoolOp)
    return f"({text})" if loose else text


@dataclass(frozen=True, eq=False)
class Operand:
    """An argument: as it is written, and what it stands for; MISSING where nobody can tell.

    `node` is where the argument stands in the user's line, if it does.
    """

    text: str
    value: Any
    node: ast.AST | None = None

    @property
    def name(self) -> str:
        """How a sentence calls it."""
        return cut(self.text, 48)

    @property
    def found(self) -> Any:
        """The user's own tensor, where the argument is a mere look-up; or None."""
        return getattr(self.value, ORIGINAL, None)

    @property
    def is_tensor(self) -> bool:
        """Whether it is a torch tensor's shadow or a NumPy array."""
        return is_tensor(self.value)

    @property
    def is_array(self) -> bool:
        """Whether it is a NumPy array."""
        return is_array(self.value)

    @property
    def size(self) -> tuple[int, ...]:
        """Its size; that of nested lists of numbers as well. Raises Unknown."""
        if not self.is_tensor and (self.value is MISSING or not is_data(self.value)):
            raise Unknown
        return tuple(self.value.shape) if self.is_tensor else np.shape(self.value)

    @property
    def dtype(self) -> str:
        """The name of a tensor's or an array's dtype."""
        return str(self.value.dtype).removeprefix("torch.")

    @property
    def parts(self) -> "list[Operand]":
        """Itself; or what a list, tuple or dict with tensors in it holds."""
        many = self.value
        if not (is_short_list(many) and any(map(is_tensor, many))):
            return [self]
        if isinstance(self.node, ast.List | ast.Tuple) and len(self.node.elts) == len(many):
            nodes = zip(self.node.elts, many, strict=True)
            return [Operand(ast.unparse(node), x, node) for node, x in nodes]
        name = cut(spelled(self.node), 48) if isinstance(self.node, ast.expr) else self.name
        return [Operand(f"{name}[{i}]", x) for i, x in enumerate(many)]


@dataclass(frozen=True, eq=False)
class Operation:
    """A call, an operator, an index, or an assignment, with its operands.

    `name` is the method's or the function's, or the sign; `[]` for an index, `[]=` for an
    assignment to an item, `.shape=` for one to an attribute; with a `?` it is none of torch's or
    NumPy's. A method's first argument is the tensor before the dot; `function` is what is called.
    `target` is what is written to. `node` is the user's expression, or statement, and `site` knows
    its names. Where it `is_inside` of a library, `module` is the path of the torch module that did
    it.
    """

    name: str
    node: ast.AST
    site: "Shadows"
    args: tuple[Operand, ...]
    kwargs: dict[str, Operand] = field(default_factory=dict)
    target: Operand | None = None
    function: Any = None
    module: str = ""
    is_inside: bool = False

    @property
    def tensors(self) -> list[Operand]:
        """What it was given that is a tensor or an array, in lists, too; each once."""
        given = (*self.args, *self.kwargs.values())
        parts = (part for operand in given for part in operand.parts)
        return list({(x.text, x.node): x for x in parts if x.is_tensor}.values())

    @property
    def is_known(self) -> bool:
        """Whether it is torch's or NumPy's, all of it is known, and its tensors are in the line."""
        given = (*self.args, *self.kwargs.values())
        in_line = all(x.node for x in self.tensors) if self.module else not self.is_inside
        return in_line and self.name[0] != "?" and all(x.value is not MISSING for x in given)

    @property
    def written(self) -> Operand:
        """What is written to: the tensor, or what it is an item or a copy of. Raises Unknown."""
        x = self.target
        if x is None:
            raise Unknown
        whole = self.site.operand(x.node.value) if isinstance(x.node, ast.Subscript) else x
        is_copy = whole.is_array and not np.may_share_memory(x.value, whole.value)
        return x if x.is_tensor and not is_copy else whole

    def tensor(self, place: int, name: str = "") -> Operand:
        """An argument that is a tensor, or a list that NumPy takes as one. Raises Unknown."""
        found = self.kwargs.get(name) or next(islice(self.args, place, None), None)
        if found and type(self.function) is type(np.sum) and is_short_list(found.value):
            found = replace(found, value=np.zeros(found.size))
        if found is None or not found.is_tensor:
            raise Unknown
        return found
