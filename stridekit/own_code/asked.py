"""What stridekit says to the same call: its own operation is asked, on the header alone.

Where it refuses, its reason is the reason. Where it has no such thing, torch has said all there is,
which is said once more of the tensors that it is about.
"""

import re
from itertools import combinations, pairwise
from math import prod
from typing import Any

import numpy as np
import torch

from stridekit.diagrams import draw_as_strided, draw_view
from stridekit.errors import ArgumentError, DTypeError, NotOfferedError, StridekitError
from stridekit.layouts.broadcasting import ExpandObstacle
from stridekit.layouts.layout import Ints
from stridekit.layouts.view_rule import Obstacle
from stridekit.own_code.arrays import mapped
from stridekit.own_code.operations import (
    Operand,
    Operation,
    Unknown,
    is_a,
    is_tensor,
    layout_of,
)
from stridekit.own_code.performing import carefully
from stridekit.own_code.shadows import on_memory
from stridekit.own_code.verdicts import SIZE, Grounds, Preview, RuleBook, Said, described, numbers
from stridekit.tensors import dtypes
from stridekit.tensors.constructors import as_tensor
from stridekit.tensors.tensor import Tensor

RULES = RuleBook()
# NumPy's names for what the model has, and torch's others.
_NUMPYS = {
    "transpose": "permute", "swapaxes": "transpose", "expand_dims": "unsqueeze", "view": "view",
    "broadcast_to": "expand", "reshape": "reshape", ".shape=": "view", ".dtype=": "view",
}  # fmt: skip
_TORCHS = {
    "broadcast_to": "expand", "swapaxes": "transpose", "swapdims": "transpose", "[]=": "[]",
    "view_as": "view", "reshape_as": "reshape", "expand_as": "expand", "item": "",
}  # fmt: skip
_WORDS = {"axis": "dim", "axes": "dims"}
_RESHAPE = "{first}.reshape({rest})"
_FORMS = {
    "view": (_RESHAPE, "{}.contiguous()", "np.ascontiguousarray({})", "{}.unsqueeze(0)"),
    "view_as": ("{first}.reshape_as({rest})",),
    "reshape": (_RESHAPE,),
    ".shape=": (f"{{first}} = {_RESHAPE}",),
}


@RULES.on(r"")
def _refused_by_rule(operation: Operation, said: Said) -> Grounds:
    """What stridekit says to the same call."""
    x = operation.tensor(0)
    error = _asked(operation, x, said.string)
    obstacle, has = getattr(error, "obstacle", None), described([x])
    # The call stands above already, and ways out are to be tried.
    clause = re.sub(r"^\w+(\(.*?\))?( on size .*?\))?: ", "", str(error))
    clause = re.sub(r"(?<=[.]) \w+\(.*?\)[^.]*\.$", "", clause)
    clause = f"{has}. {clause[0].upper()}{clause[1:]}"
    preview: Preview | None = None
    forms: tuple[str, ...] = _FORMS.get(operation.name, ())
    if isinstance(obstacle, Obstacle):
        clause = f"{has}, stride {layout_of(x.value).stride}, and is to be viewed as "
        clause += f"{obstacle.new_size}: {obstacle.reason}."
        preview = draw_view, obstacle.new_size
        steps = layout_of(x.value).stride
        is_turned = sorted(steps, reverse=True) != [*steps]
        if is_turned and _cuts_across(obstacle.new_size, x.size):
            clause += " A reshape would run, and mix elements of its dims."
            forms = _turned_back(obstacle.new_size, x, forms[0])
    elif isinstance(obstacle, ExpandObstacle):
        clause = f"{has}, and is to be expanded to {obstacle.new_size}: {obstacle.reason}."
    elif operation.name == "as_strided":
        preview = draw_as_strided, [given.value for given in operation.args[1:]]
    clause = clause.replace("the tensor", "the array") if x.is_array else clause
    return Grounds((x,), clause, forms, preview, alone=True)


def _ends(size: Ints) -> set[int]:
    """How many elements, in C order, the last dims hold: the last one, the last two, and so on."""
    return {prod(size[dim:]) for dim in range(len(size))}


def _cuts_across(new: Ints, old: Ints) -> bool:
    """Whether a dim of the new size, read in C order, holds parts of several old dims."""
    return any(large % small for small, large in pairwise(sorted(_ends(new) | _ends(old))))


def _turned_back(new: Ints, x: Operand, reshape: str) -> tuple[str, ...]:
    """With two dims in each other's place, where only these make the new size of whole dims."""
    turns = []
    for one, other in combinations(range(len(x.size)), 2):
        size = [*x.size]
        size[one], size[other] = size[other], size[one]
        if _ends(new) <= _ends(tuple(size)):
            turns.append(f"{'swapaxes' if x.is_array else 'transpose'}({one}, {other})")
    if len(turns) != 1 or x.text.endswith(turns[0]):
        return ()
    turned = reshape.replace(".reshape", f".{turns[0]}.reshape")
    # Nobody has what a new view's shape is assigned to.
    return (turned,) if "=" in reshape else (f"{{}}.{turns[0]}", turned)


def _asked(operation: Operation, x: Operand, message: str) -> StridekitError:
    """What stridekit refuses, or Unknown; a size may stand in the message alone."""
    name, args = operation.name, [a.value for a in operation.args[1:]]
    kwargs = {_WORDS.get(k, k): v.value for k, v in operation.kwargs.items()}
    try:
        args, kwargs = mapped(operation.site.value, [args, kwargs])
    except Unknown:
        message = message if name.isidentifier() else ""
        spelled, *_ = re.findall(r"(?:shape '|into shape |Target sizes: )([[(].*?[])])", message)
        args, kwargs = [numbers(spelled.replace("newaxis", "-1"))], {}
    if name.endswith("_as"):
        args = [args[0].shape]
    args = args or [kwargs.pop(word) for word in ("size", "shape") if word in kwargs]
    name = _NUMPYS.get(name, "") if x.is_array else _TORCHS.get(name, name)
    name = "view" if x.is_array and kwargs.pop("copy", None) is False else name
    try:
        if name == "[]":
            keys = args[0] if type(args[0]) is tuple else (args[0],)
            # Lists and masks pick elements one by one, and torch says of them all there is.
            if not any(is_tensor(key) or is_a(key, list) for key in keys):
                _ours(x.value)[args[0]]
        elif hasattr(Tensor, name) and not name.endswith("_"):
            given = {k: _ours(v) for k, v in kwargs.items()}
            getattr(_ours(x.value), name)(*map(_ours, args), **given)
    except (ArgumentError, DTypeError, NotOfferedError):
        raise Unknown from None
    except StridekitError as error:
        # Its traceback leads here, and from here to the tensors.
        return error.with_traceback(None)
    raise Unknown


def _ours(x: Any) -> Any:
    """An argument as stridekit's own operations take it. Raises Unknown."""
    if is_a(x, torch.Tensor) and x.is_meta:
        # Its memory is asked for, and never touched.
        needed = x.untyped_storage().nbytes()
        return carefully(lambda: as_tensor(on_memory(torch.UntypedStorage(needed), x)))
    if is_tensor(x):
        return carefully(lambda: as_tensor(x))
    if isinstance(x, torch.dtype | np.dtype | type | str):
        name = str(x)[6:] if isinstance(x, torch.dtype) else np.dtype(x).name
        return dtypes.as_dtype(name)
    return x


@RULES.on(
    r"\A(?!.*(?:size and stride|to field|setter|(?:keyword|values for) argument|combination of)).*"
    r"(?:\b(?:(?i:(?:size|shape|dim|length|dtype)s?|dimension\w*)|ax[ie]s|itemsize|Class values"
    r"|\d-?[dD]|input types|empty seq\w+|operands|subscripts?|powers"
    r"|bool\w* (?:tensors?|subtract|negative))\b|implemented for ')"
)
def _own_words(operation: Operation, said: Said) -> Grounds | None:
    """What torch or NumPy says, of the tensors that it was given.

    In the user's line all must be known of it, and some of their sizes be named; inside of a
    library, what it names must be their sizes.
    """
    words = said.string.strip().split("\n")[0].rstrip(".:! ")
    words = words[0].upper() + words[1:] if words.split()[0].isalpha() else words
    xs = tuple(operation.tensors[:4])
    # What stands in `output[0]` is not a size.
    sizes = [numbers(text) for text in re.findall(SIZE, re.sub(r"\w\[\d\]", "", words))]
    are_named = bool(sizes) and all(size in [x.size for x in xs] for size in sizes)
    return Grounds(xs, f"{words}.") if are_named or (operation.is_known and xs) else None
