"""From an exception to its reason: the operation, its tensors' headers, the rule, what is said.

The operation is found in the frames of the traceback. `executing`, which comes with IPython, says
which expression a frame had come to. One inside of a library is told by the user's line, too, and
its tensors are called as they are there.

A traceback keeps a frame as it is now, and not as it was when the operation failed. What may have
been changed since, in `except`, in `finally` or later, is not known any more.
"""

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from dis import get_instructions
from inspect import getargvalues
from itertools import islice, takewhile
from operator import attrgetter
from types import BuiltinFunctionType, ModuleType, TracebackType
from typing import Any

import torch
from executing import Source

from stridekit.own_code import asked, refusals, wording
from stridekit.own_code.arrays import flat
from stridekit.own_code.operations import (
    MISSING,
    Operand,
    Operation,
    Unknown,
    around,
    is_a,
    is_tensor,
)
from stridekit.own_code.places import is_users
from stridekit.own_code.reading import operation_at
from stridekit.own_code.reasons import Reason
from stridekit.own_code.shadows import Shadows, names_in, parts_of
from stridekit.own_code.verdicts import RuleBook, verdict_on

RULES = RuleBook((*refusals.RULES, *wording.RULES, *asked.RULES))

_LOOK_UPS = ast.Name | ast.Attribute | ast.Subscript
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp
_TESTS = ast.If | ast.While | ast.Assert | ast.IfExp
_STOPS = ast.expr | ast.AugAssign | ast.For | _TESTS
_place_of = attrgetter("lineno", "end_lineno", "col_offset", "end_col_offset")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)


def reason_of(error: BaseException) -> Reason | None:
    """Why an exception was raised, if memory tells: of it, or of what it was raised from.

    Gives None where the operation or its tensors cannot be found.
    """
    # A line may be nested more deeply than can be read.
    with warnings.catch_warnings(), suppress(RecursionError):
        warnings.simplefilter("ignore")
        for each in _chain(error):
            for operation in _operations_of(each):
                if reason := verdict_on(each, operation, RULES):
                    return reason
    return None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An exception, those in its group, and those that it was raised from, or in place of.

    One that was caught, and after which something else failed, is another matter.
    """
    seen: set[int] = set()
    waiting = [error]
    for each in waiting:
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        if isinstance(each, BaseExceptionGroup):
            waiting += each.exceptions
        if each.__suppress_context__:
            waiting.append(each.__cause__)
        elif _raised_anew(each):
            waiting.append(each.__context__)


def _raised_anew(error: BaseException) -> bool:
    """Whether an exception comes from a `raise` in the function that caught another one."""
    caught, own = _frames_of(error.__context__), _frames_of(error)
    if not own or own[-1].tb_frame not in [tb.tb_frame for tb in caught]:
        return False
    return any(isinstance(node, ast.Raise) for node in Source.executing(own[-1]).statements or ())


# The operation.


def _operations_of(error: BaseException) -> Iterator[Operation]:
    """The operations at which the user's innermost frame stopped, and the libraries' after it.

    What cannot be read is left out.
    """
    frames: list[TracebackType] = []
    callers: list[TracebackType] = []
    for tb in _frames_of(error):
        if is_users(tb.tb_frame.f_code.co_filename):
            callers += frames[:1]
            frames = []
        frames.append(tb)
    node = _node_at(frames[0]) if frames else None
    if node is None:
        return
    module = str(frames[-1].tb_frame.f_globals.get("__name__"))
    if is_a(error, AssertionError) and not re.match(r"torch\b(?!\.testing)", module):
        # What somebody asserts, they have worded themselves.
        return
    # What it looks up outside of itself may have been changed by those that called it.
    changed = {name for tb in callers for name in _changed_afterwards(_node_at(tb), tb)}
    site = _site(node, frames[0], changed=changed - {*names_in(frames[0].tb_frame).maps[0]})
    # Of what is merely looked up, its truth may be asked for, or its items.
    parts = islice((part for part in ast.walk(node) if isinstance(part, ast.expr)), 20)
    own = operation_at(node, site) or Operation("?", node, site, tuple(map(site.operand, parts)))
    if own.name in ("backward", "grad"):
        # What fails there is seldom done to what stands in the line.
        own = replace(own, is_inside=True)
    names = _names_of(node, site, frames[1:])
    # What a function was given that can be seen is known, whatever computed it.
    given: dict[Any, Operand] = {x.node: x for x in names.values() if x.node}
    own = replace(own, args=tuple(given.get(x.node, x) for x in own.args))
    if not own.name.startswith("?"):
        yield own
    for tb in frames[1:]:
        inner = _node_at(tb)
        if inner is None and not is_a(tb.tb_frame.f_locals.get("self"), torch.nn.Module):
            continue
        shadows = _site(inner, tb, site)
        called = operation_at(inner, shadows) if inner else None
        if called is None or called.name.startswith("?"):
            called = _given_to(tb, shadows) if tb is frames[-1] else None
        if called is not None:
            yield replace(_told(called, names, tb), node=node, site=site)
    if own.name.startswith("?"):
        yield own


def _frames_of(error: BaseException | None) -> list[TracebackType]:
    """An exception's traceback, one for each frame."""
    found, tb = list[TracebackType](), error.__traceback__ if error else None
    while tb is not None:
        found.append(tb)
        tb = tb.tb_next
    return found


def _node_at(tb: TracebackType) -> ast.AST | None:
    """The expression at which a frame stopped; the statement, if it was assigned to.

    Where `executing` gives up, as it does of a truth, the instruction's own place decides.
    """
    stopped = Source.executing(tb)
    node: Any = stopped.node
    steps = get_instructions(tb.tb_frame.f_code)
    *_, step = (each for each in steps if each.offset <= max(tb.tb_lasti, 0))
    if node is None:
        parts = (n for line in stopped.statements or () for n in ast.walk(line))
        parts = (n for n in parts if isinstance(n, _STOPS))
        node = next((n for n in parts if _place_of(n) == step.positions), None)
    above = getattr(node, "parent", None)
    # From Python 3.13 on a comparison may ask for its truth itself.
    asks = re.search(r"_IF_|TO_BOOL|bool\(", f"{step.opname} {step.argrepr}")
    if isinstance(node, _TESTS):
        return node.test
    # From Python 3.14 on `any` and `all` are loops where they stand, and the name asks.
    if asks and (isinstance(above, ast.UnaryOp | ast.BoolOp) or node is getattr(above, "func", 0)):
        return above
    targets = getattr(above, "targets", [getattr(above, "target", None)])
    if isinstance(above, ast.Assign | ast.AugAssign) and node in targets:
        return above
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        # One of several that are assigned to, as in `x[0], y = 1, 2`.
        return None
    found: ast.AST | None = getattr(node, "iter", node)
    if loops := getattr(node, "generators", ()):
        tests = [test for loop in loops for test in loop.ifs] if asks else [loops[0].iter]
        found = tests[0] if len(tests) == 1 else node
    return found


def _site(
    node: Any, tb: TracebackType, kin: Shadows | None = None, changed: Iterable[str] = ()
) -> Shadows:
    """What the names in a frame stood for at the expression where it stopped.

    From Python 3.12 on a comprehension runs in the frame around it, which then forgets its names.
    """
    changed = _changed_afterwards(node, tb).union(changed)
    site = Shadows(names_in(tb.tb_frame), changed, kin)
    inside, below, above = [node], node, node
    while above and not isinstance(above, ast.stmt | ast.Lambda | ast.GeneratorExp):
        under, below, above = below, above, above.parent
        # What it goes through first is worked out before.
        if isinstance(above, _COMPREHENSIONS) and under is not above.generators[0].iter:
            inside.insert(0, above)
    if len(inside) == 1 or tb.tb_frame.f_code.co_name.endswith("comp>"):
        return site
    with suppress(Unknown):
        if found := site.in_their_round(inside):
            return found
    loops = [loop.target for each in inside[:-1] for loop in each.generators]
    bound = {n.id for t in loops for n in ast.walk(t) if isinstance(n, ast.Name)}
    return Shadows(names_in(tb.tb_frame), changed | bound, site)


def _changed_afterwards(node: Any, tb: TracebackType) -> frozenset[str]:
    """The names that may stand for something else now than when the node failed.

    Nodes know their `parent`, as `executing` leaves them.
    """
    if node is None:
        # Of a `raise` there is no expression.
        return frozenset()
    # What is bound in the expression itself may have been read before.
    found = {n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr)}
    if tb.tb_frame.f_lasti == tb.tb_lasti:
        return frozenset(found)
    above = [node, *around(node)]
    above = above[: next(i for i, a in enumerate(above) if isinstance(a, _FUNCTIONS)) + 1]
    handlers = [h for a in above if isinstance(a, ast.Try | ast.TryStar) for h in a.handlers]
    goes_on = any(not isinstance(h.body[-1], ast.Raise) for h in handlers)
    loops = [a for a in above if goes_on and isinstance(a, ast.For | ast.AsyncFor | ast.While)]
    ran = [n for n in ast.walk(above[-1]) if getattr(n, "lineno", 0) > node.end_lineno]
    for part in (*ran, *(n for loop in loops for n in ast.walk(loop))):
        if isinstance(part, ast.Call):
            owner = names_in(tb.tb_frame).get(_first_name(part))
            harmless = is_tensor(owner) or type(owner) in (ModuleType, BuiltinFunctionType, type)
            if getattr(part.func, "attr", "").endswith("_") or not harmless:
                found |= {_first_name(part), *map(_first_name, part.args)}
        elif isinstance(getattr(part, "ctx", None), ast.Store | ast.Del):
            found.add(_first_name(part))
    return frozenset(found)


def _first_name(node: Any) -> str:
    """What an expression such as `x.y[0].z()` begins with; empty where that is not a name."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", "")


# What is inside of a library, as it is called in the user's own line.


def _given_to(tb: TracebackType, shadows: Shadows) -> Operation | None:
    """What a function of a library was given that raised by itself."""
    code = tb.tb_frame.f_code
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    given = [shadows.operand(ast.Name(name, ast.Load())) for name in names if name != "self"]
    tensors = tuple(x for x in given if x.is_tensor)
    return Operation(f"?{code.co_name}", ast.Pass(), shadows, tensors) if tensors else None


def _names_of(node: ast.AST, site: Shadows, frames: list[TracebackType]) -> dict[Any, Operand]:
    """What a line calls its tensors, the module that it calls, and what is in that; by their keys.

    What it computes has a name as well, where it was passed to a function that can be seen.
    """
    selves = ((tb, tb.tb_frame.f_locals.get("self")) for tb in frames)
    callee, module = next(((tb, m) for tb, m in selves if is_a(m, torch.nn.Module)), (None, None))
    looked_up = [site.operand(part) for part in ast.walk(node) if isinstance(part, _LOOK_UPS)]
    waiting = looked_up[::-1]
    if isinstance(node, ast.Call):
        if not isinstance(node.func, _LOOK_UPS):
            waiting.append(Operand(ast.unparse(node.func), module))
        function = site.operand(node.func).value
        if function is not MISSING and function is not module:
            callee = None
        called = [getattr(node.func, "attr", getattr(node.func, "id", ""))]
        called += ["__init__", "__new__"] if is_a(function, type) else []
        # A decorator may stand before it.
        callee = next((tb for tb in frames[:2] if tb.tb_frame.f_code.co_name in called), callee)
        places = takewhile(lambda part: not isinstance(part, ast.Starred), node.args)
        passed = zip(places, _arguments(callee), strict=False)
        waiting += [Operand(ast.unparse(part), value, part) for part, value in passed]
    names: dict[Any, Operand] = {}
    for x in waiting:
        with suppress(Unknown):
            x = replace(x, value=site.shadow(x.value))
            is_module = is_a(x.value, torch.nn.Module)
            if is_module and _key(x) not in names:
                waiting += [Operand(f"{x.text}.{name}", part) for name, part in parts_of(x.value)]
            for part in (x, *x.parts):
                if is_module or any(each.is_tensor for each in part.parts):
                    names.setdefault(_key(part), part)
    return names


def _arguments(callee: TracebackType | None) -> list[Any]:
    """What a function was given by place, up to what it has bound anew."""
    if callee is None:
        return []
    names, rest, _, values = getargvalues(callee.tb_frame)
    code = callee.tb_frame.f_code
    names = names[: code.co_argcount]
    bound = {each.argval for each in get_instructions(code) if each.opname.startswith("STORE_")}
    own = takewhile(lambda n: n not in bound, names)
    given = [values.get(n) for n in own if n not in ("self", "cls")]
    if rest and not bound & {*names, rest}:
        given += values.get(rest, ())
    return given


def _key(x: Operand) -> Any:
    """What tells a tensor, a list of them, or a module, from others, as long as it is held."""
    return x.is_tensor, *map(id, flat([x.value]))


def _told(operation: Operation, names: dict[Any, Operand], tb: TracebackType) -> Operation:
    """An operation of a library, of which the tensors are called as in the user's line."""
    module, code = tb.tb_frame.f_locals.get("self"), tb.tb_frame.f_code
    path = type(module).__name__ if is_a(module, torch.nn.Module) else ""
    path = names.get(_key(Operand("", module)), Operand(path, None)).text
    # A comprehension is a function of its own, with no name of its own.
    function = code.co_qualname.removesuffix(".<locals>.<listcomp>").rpartition(".")[2]

    def told(x: Operand) -> Operand:
        text, (owner, dot, rest) = x.text, x.text.partition(".")
        if x.is_tensor and x.node:
            text = f"the {x.text} of {path or function}"
            if owner == "self":
                text = f"{path}.{rest}" if path and dot else "the tensor"
        same = names.get(_key(x), Operand(text, x.value))
        return replace(x, text=same.text, node=same.node)

    return replace(
        operation,
        module=path,
        is_inside=True,
        args=tuple(map(told, operation.args)),
        kwargs={name: told(x) for name, x in operation.kwargs.items()},
        target=operation.target and told(operation.target),
    )
