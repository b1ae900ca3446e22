"""Verdicts: what memory has to say about a refusal of torch, NumPy or matplotlib.

Each family of refusals is known by its message and by its operations. Its rule works out the
reason from headers; and it says nothing where sizes that are named in the message are not those of
the tensors that were found, or where the headers do not bear it out: then something else was the
matter.
"""

import ast
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import torch

from stridekit.diagrams import Diagram, draw
from stridekit.diagrams.scenes.captions import cut
from stridekit.errors import StridekitError
from stridekit.layouts.layout import Ints
from stridekit.own_code.operations import (
    MISSING,
    Operand,
    Operation,
    Unknown,
    is_data,
    layout_of,
)
from stridekit.own_code.reasons import Reason
from stridekit.own_code.ways_out import way_out

# What draws what was tried, and what it was given.
Preview = tuple[Callable[..., Diagram], Iterable[Any]]


@dataclass(frozen=True, eq=False)
class Grounds:
    """What is to be said of some operands: their headers, and then a clause.

    The forms of ways out are still to be tried. A sentence of its own says `alone`.
    """

    operands: tuple[Operand, ...]
    clause: str
    forms: Iterable[str] = ()
    preview: Preview | None = None
    alone: bool = False


Said = re.Match[str]
Rule = Callable[[Operation, Said], Grounds | None]
# What a rule stumbles over where, by our own rules, what was found cannot have been meant.
_NOT_MEANT = (
    *(Unknown, StridekitError, LookupError, ArithmeticError, StopIteration),
    *(TypeError, ValueError, AttributeError, RuntimeError),
)
# How messages spell a size.
SIZE = r"(?:(?:torch\.Size\()?\[[\d, ]*\]\)?|\(\d*,[\d, ]*\)|(?<!\w)\(\))"
# Where they say what size a tensor has that was given.
_NAMED = (
    r"tensor [ab] \(\d+|(?:existing|with|put of|reshape array of) size \(?\d+"
    r"|operands.*with shapes.*"
)


class RuleBook(list[tuple[str, frozenset[str], Rule]]):
    """Rules in the order of asking, each for messages, and for operations of some names or all."""

    def on(self, message: str, names: str = "") -> Callable[[Rule], Rule]:
        """Add a rule for a pattern, in which `SIZE` stands for a size."""

        def add(rule: Rule) -> Rule:
            self.append((message.replace("SIZE", SIZE), frozenset(names.split()), rule))
            return rule

        return add


def verdict_on(error: BaseException, operation: Operation, rules: RuleBook) -> Reason | None:
    """Why an operation raised that error, if memory tells; None otherwise."""
    # Of somebody's own class it is not asked.
    ours = type(error).__module__.partition(".")[0] in ("numpy", "torch", "matplotlib")
    message = str(error) if ours else next((x for x in error.args if type(x) is str), "")
    if operation.name[0] == "?" and re.match(r"[\w.<>]+\(\) (?:got|takes|missing) ", message):
        # What somebody's own function takes is another matter.
        return None
    if not _bears_out(operation, message):
        # What it was given has changed since, and nobody knows any more what it was.
        operation = replace(operation, args=(Operand("", MISSING),), kwargs={}, target=None)
    for pattern, names, rule in rules:
        said = re.search(pattern, message)
        if said is None or (names and operation.name.rstrip("_") not in names):
            continue
        with suppress(*_NOT_MEANT):
            told = rule(operation, said)
            if told is not None:
                return _reason(operation, told, message)
    return None


def _bears_out(operation: Operation, message: str) -> bool:
    """Whether the sizes that a message names are of what was found, or may be of what was not."""
    said = {*numbers(" ".join(re.findall(_NAMED, message)))}
    found = {n for x in operation.tensors for n in (*x.size, prod(x.size))}
    unknown = sum(type(x.value) is list or not is_data(x.value) for x in operation.args)
    # What is no method of tensors may speak of what it has made itself.
    is_function = isinstance(operation.node, ast.Call) and not hasattr(torch.Tensor, operation.name)
    return is_function or len(said - found) <= unknown


def _reason(operation: Operation, told: Grounds, message: str) -> Reason:
    way = way_out(operation, told.operands, told.forms)
    instead = ast.unparse(way.node) if way and not way.first else ""
    expression = ast.unparse(operation.node)
    above: Any = getattr(operation.node, "parent", None)
    if isinstance(operation.node, ast.Attribute) and getattr(above, "func", None) is operation.node:
        # A method that is not there is told with what it was to be given.
        given = ast.unparse(above).removeprefix(expression)
        expression, instead = f"{expression}{given}", f"{instead}{given}" if instead else ""
    alone = told.alone or not told.operands
    headers = "" if alone else f"{described(told.operands, message)}. "
    picture = None
    with suppress(StridekitError):
        picture = _picture(operation, told)
    sentence = re.sub(r"(?:^|(?<=\. ))(the|it)\b", lambda m: m[1].title(), headers + told.clause)
    return Reason(expression, sentence, picture, instead, way.first if way else "")


def _picture(operation: Operation, told: Grounds) -> Diagram:
    """Of the tensors that are told of. Raises a StridekitError where there are none."""
    drawable = operation.site.drawable
    shown = {cut(x.text, 60): drawable(x) for x in told.operands if x.is_tensor}
    if told.preview is not None:
        drawn, given = told.preview
        return drawn(*shown.values(), *given, title=next(iter(shown)))
    return draw(shown)


# What is said of a tensor beside its size, where the message speaks of it.
_FACTS: tuple[tuple[str, Callable[[Operand], str]], ...] = (
    (
        r"memory location|C.(?i:contiguous)|with stride|stride divisible|read-only",
        lambda x: f"stride {layout_of(x.value).stride}",
    ),
    (
        r"dtype|[sS]calar [tT]ype|(?:data|[iI]nput|result) type|BoolTensor|as indices|did not match"
        r"|implemented|[fF]loating|long tensor|bool\w* (?:tensor|sub|neg)",
        lambda x: f"dtype {x.dtype}",
    ),
    (r"same device|expected device", lambda x: f"on {x.found.device}"),
    (r"out of range in self|^Class values", lambda x: f"values {_values(x)}"),
)


def described(operands: Iterable[Operand], message: str = "") -> str:
    """The headers of some operands as a clause: what a message speaks of.

    >>> described([Operand("x", [1, 2]), Operand("y", [[1, 2, 3]])])
    'x has size (2,), and y size (1, 3)'
    """
    facts = [fact for word, fact in _FACTS if re.search(word, message)]
    once = {x.text: x for x in operands}
    told = {text: [f"size {x.size}"] for text, x in once.items()}
    for x in once.values():
        for fact in facts:
            with suppress(Unknown, AttributeError):
                told[x.text].append(fact(x))
    first, *rest = (f"{cut(text, 48)} has {', '.join(parts)}" for text, parts in told.items())
    rest = [text.replace(" has size", " size") for text in rest]
    return ", ".join([first, *rest[:-1]]) + (f", and {rest[-1]}" if rest else "")


def _values(x: Operand) -> str:
    """From the smallest to the largest of a few whole numbers that are there. Raises Unknown."""
    numbers = x.found
    is_whole = type(numbers) is torch.Tensor and numbers.dtype in (torch.int64, torch.int32)
    if not is_whole or numbers.device.type != "cpu" or not 0 < numbers.numel() < 4e6:
        raise Unknown
    return f"{int(numbers.min())} to {int(numbers.max())}"


def numbers(text: str | None) -> Ints:
    """All whole numbers in a part of a message."""
    return tuple(map(int, re.findall(r"-?\d+", text or "")))
