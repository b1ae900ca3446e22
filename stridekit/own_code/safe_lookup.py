"""Looking things up in a frame without running anything of the user's.

Names, attributes that lie in an object's own dict or slots, items of lists, tuples and dicts,
constants, and arithmetic on plain numbers. No property, no `__getattr__`, no `__getitem__` of
somebody's class: what is not a plain look-up is `Unknown`.
"""

import ast
import builtins
import math
import operator
import types
from collections.abc import Callable
from typing import Any

_ARITHMETIC: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
_NUMBERS = (int, float, complex, bool)
# Larger ones could take long.
_POWER_MOST = 1024
_FUNCTIONS = (len, int, float, abs, min, max, sum, tuple, list, range, math.prod)
_KEYS = (*_NUMBERS, str, bytes, types.NoneType)


class Unknown(Exception):  # noqa: N818 - nothing went wrong: it just cannot be known
    """What cannot be looked up without running somebody's code."""


def is_a(x: Any, kinds: type | types.UnionType | tuple[type, ...]) -> bool:
    """`isinstance`, without asking the object itself, which may say something of its own."""
    return issubclass(type(x), kinds)


def function_name(x: Any) -> str:
    """The name of a plain function, a builtin one, or a ufunc; empty for anything else."""
    kinds = (types.FunctionType, types.BuiltinFunctionType)
    if type(x) in kinds or type(x).__module__ == "numpy":
        return str(x.__name__)
    return ""


def name_in(frame: types.FrameType, name: str) -> Any:
    """What a name stands for in a frame. Raises Unknown."""
    for names in (frame.f_locals, frame.f_globals, vars(builtins)):
        if name in names:
            return names[name]
    raise Unknown(name)


def attribute_of(x: Any, name: str) -> Any:
    """An attribute that lies there, in a module, a class, an object or a torch module.

    Raises Unknown for one that would have to be computed.
    """
    if is_a(x, types.ModuleType):
        found = vars(x).get(name, Unknown)
        if found is Unknown:
            raise Unknown(name)
        return found
    own = _dict_of(x)
    on_class = _on_class(type(x), name)
    if type(on_class).__name__ == "_tuplegetter":
        return on_class.__get__(x)
    if on_class is not Unknown and hasattr(type(on_class), "__set__"):
        if is_a(on_class, types.MemberDescriptorType):
            try:
                return on_class.__get__(x)
            except AttributeError:
                raise Unknown(name) from None
        raise Unknown(name)
    if name in own:
        return own[name]
    # A torch module keeps its tensors and its parts in dicts of its own.
    for drawer in ("_parameters", "_buffers", "_modules"):
        kept = own.get(drawer)
        if type(kept) is dict and name in kept:
            return kept[name]
    if on_class is not Unknown and not hasattr(type(on_class), "__get__"):
        return on_class
    if is_a(x, type):
        found = _on_class(x, name)
        if found is not Unknown and not hasattr(type(found), "__set__"):
            return found
    raise Unknown(name)


def item_of(x: Any, key: Any) -> Any:
    """An item of a plain list, tuple or dict. Raises Unknown."""
    if type(x) is dict:
        # A key of somebody's class would be asked whether it is equal.
        found = all(_is_plain(known) for known in (key, *x))
    else:
        found = is_a(x, list | tuple) and type(key) in (int, bool, slice)
        found = found and _on_class(type(x), "__getitem__") in (
            list.__dict__["__getitem__"],
            tuple.__dict__["__getitem__"],
        )
    if not found:
        raise Unknown(key)
    try:
        return x[key]
    except (IndexError, KeyError, TypeError):
        raise Unknown(key) from None


def _is_plain(key: Any) -> bool:
    return type(key) in _KEYS or (type(key) is tuple and all(type(k) in _KEYS for k in key))


def computed(sign: ast.AST, *numbers: Any) -> Any:
    """Arithmetic on plain numbers. Raises Unknown."""
    if is_a(sign, ast.Pow) and any(type(n) is not int or abs(n) > _POWER_MOST for n in numbers):
        raise Unknown(sign)
    work = _ARITHMETIC.get(type(sign))
    if work is None or any(type(n) not in _NUMBERS for n in numbers):
        raise Unknown(sign)
    try:
        return work(*numbers)
    except (ArithmeticError, TypeError):
        raise Unknown(sign) from None


def called(function: Any, arguments: list[Any]) -> Any:
    """What a builtin function gives for plain data. Raises Unknown."""
    flat = [x for a in arguments for x in (a if type(a) in (list, tuple) or _is_size(a) else (a,))]
    if not any(function is known for known in _FUNCTIONS) or any(
        type(x) not in _KEYS for x in flat
    ):
        raise Unknown(function)
    try:
        return function(*arguments)
    except (TypeError, ValueError, OverflowError):
        raise Unknown(function) from None


def _is_size(x: Any) -> bool:
    return is_a(x, tuple) and type(x).__name__ == "Size"


def _dict_of(x: Any) -> dict[str, Any]:
    """An object's own dict, past whatever its class makes of `__dict__` and `__getattribute__`."""
    try:
        found = object.__getattribute__(x, "__dict__")
    except AttributeError:
        return {}
    return found if type(found) is dict else {}


def _on_class(kind: type, name: str) -> Any:
    for base in type.__dict__["__mro__"].__get__(kind):
        names = type.__dict__["__dict__"].__get__(base)
        if name in names:
            return names[name]
    return Unknown
