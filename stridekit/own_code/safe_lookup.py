"""Looking things up in a frame without running anything of the user's.

Names, attributes that lie in an object's own dict or slots, items of lists, tuples and dicts,
constants, arithmetic and a few builtin functions on plain data. No property, no `__getattr__`, no
`__getitem__` of somebody's class: what is not a plain look-up is `Unknown`.
"""

import ast
import builtins
import math
import operator
import types
from collections.abc import Callable
from typing import Any

SIGNS: dict[type[ast.AST], tuple[str, Callable[..., Any]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.FloorDiv: ("//", operator.floordiv),
    ast.Div: ("/", operator.truediv),
    ast.Mod: ("%", operator.mod),
    ast.Pow: ("**", operator.pow),
    ast.MatMult: ("@", operator.matmul),
    ast.BitAnd: ("&", operator.and_),
    ast.BitOr: ("|", operator.or_),
    ast.BitXor: ("^", operator.xor),
    ast.USub: ("-", operator.neg),
    ast.UAdd: ("+", operator.pos),
    ast.Invert: ("~", operator.invert),
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}
_NUMBERS = (int, float, complex, bool)
_KEYS = (*_NUMBERS, str, bytes, types.NoneType)
# Larger ones could take long.
_POWER_MOST = 1024
ITEMS_MOST = 10_000
_FUNCTIONS = (
    *(len, int, float, abs, min, max, sum, round, tuple, list, range, zip, enumerate),
    *(math.prod, math.sqrt, math.ceil, math.floor),
)


class Unknown(Exception):  # noqa: N818 - nothing went wrong: it just cannot be known
    """What cannot be looked up without running somebody's code."""


def is_a(x: Any, kinds: type | types.UnionType | tuple[type, ...]) -> bool:
    """`isinstance`, without asking the object itself, which may say something of its own."""
    return issubclass(type(x), kinds)


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
    own = own_dict(x)
    on_class: Any = Unknown if is_a(x, types.ModuleType) else _on_class(type(x), name)
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
    """An item of a plain list, tuple, range or dict, or of a torch module's. Raises Unknown."""
    drawer = own_dict(x).get("_modules")
    if type(drawer) is dict and type(x).__module__.startswith("torch.nn.modules"):
        x = drawer if type(key) is str else list(drawer.values())
    if type(x) is dict:
        # A key of somebody's class would be asked whether it is equal.
        found = all(_is_plain(known) for known in (key, *x))
    else:
        found = is_plain_sequence(x) and type(key) in (int, bool, slice)
    if not found:
        raise Unknown(key)
    try:
        return x[key]
    except (IndexError, KeyError, TypeError):
        raise Unknown(key) from None


def is_plain_sequence(x: Any) -> bool:
    """Whether it is a list, tuple or range of which all is Python's own, or torch.Size."""
    if type(x) in (list, range) or type(x).__module__ == "torch":
        return is_a(x, list | tuple | range)
    own = (_on_class(type(x), name) for name in ("__getitem__", "__iter__", "__len__"))
    return is_a(x, tuple) and tuple(own) == (tuple.__getitem__, tuple.__iter__, tuple.__len__)


def _is_plain(key: Any) -> bool:
    return type(key) in _KEYS or (type(key) is tuple and all(type(k) in _KEYS for k in key))


def computed(sign: ast.AST, *numbers: Any) -> Any:
    """Arithmetic on plain numbers. Raises Unknown."""
    kinds = _KEYS if is_a(sign, ast.cmpop) else _NUMBERS
    if type(sign) not in SIGNS or any(type(n) not in kinds for n in numbers):
        raise Unknown(sign)
    if is_a(sign, ast.Pow) and any(type(n) is int and abs(n) > _POWER_MOST for n in numbers):
        raise Unknown(sign)
    try:
        return SIGNS[type(sign)][1](*numbers)
    except (ArithmeticError, TypeError):
        raise Unknown(sign) from None


def called(function: Any, arguments: list[Any]) -> Any:
    """What a builtin function gives for plain data. Raises Unknown."""
    sized = [a for a in arguments if is_plain_sequence(a)]
    few = all(len(a) <= ITEMS_MOST for a in sized)
    joins = any(function is f for f in (len, zip, enumerate, list, tuple))
    if (
        not any(function is known for known in _FUNCTIONS)
        or not few
        or any(type(a) not in _KEYS for a in arguments if not any(a is s for s in sized))
        or not (joins or all(type(item) in _KEYS for a in sized for item in a))
    ):
        raise Unknown(function)
    try:
        found = function(*arguments)
    except (TypeError, ValueError, OverflowError):
        raise Unknown(function) from None
    return list(found) if is_a(found, zip | enumerate) else found


def own_dict(x: Any) -> dict[str, Any]:
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
