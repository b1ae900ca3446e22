"""Cases and outcomes as text: for a function that lives in another process.

What comes back is JSON, and taken apart with care, for somebody else's process wrote it: only the
types that cross the seam have a form here. Tuples, the most frequent, are JSON's arrays; whatever
JSON has no word for is an object with one member, which says its type. Cases alone, which go to a
process that trusts this one, are pickled: nothing that comes back ever is.
"""

import base64
import binascii
import dataclasses
import pickle
import zlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Literal, get_args, get_origin, get_type_hints

from stridekit.errors import StridekitError
from stridekit_course.checks.callee import (
    BatchOutcomes,
    Case,
    Foreign,
    Outcome,
    SourceCall,
    SourceLine,
    TensorData,
)


class WireError(StridekitError, ValueError):
    """A message that is none, or that holds what may not cross."""


def told(thing: Any) -> Any:
    """A case, an outcome, or a value that may cross, in what JSON has words for.

    Raises WireError for anything else.

    >>> heard(told((1, [True, None], 0.5)))
    (1, [True, None], 0.5)
    """
    kind = type(thing)
    if kind in _SIMPLE:
        return thing
    if kind is tuple:
        return thing if _is_told_alike(thing) else [told(item) for item in thing]
    if kind is list:
        return {"list": thing if _is_told_alike(thing) else [told(item) for item in thing]}
    if kind is bytes:
        return {"bytes": base64.b64encode(thing).decode("ascii")}
    if kind is Outcome:
        # Nearly all are like one of these two.
        if thing[2:] == _USUAL and thing.kind == "value":
            return {"value": told(thing.value)}
        if thing == Outcome("raised", bases=thing.bases):
            return {"raised": thing.bases}
    name = kind.__name__
    if name in _RECORDS and kind is _RECORDS[name]:
        parts = [getattr(thing, field) for field in _FIELDS[name]]
        return {name: [part if type(part) in _SIMPLE else told(part) for part in parts]}
    raise WireError(f"{name} cannot cross to another process.")


def heard(said: Any) -> Any:
    """What `told` made of a thing. Raises WireError for what nobody has told."""
    try:
        return _thing(said)
    except (ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
        raise WireError(f"not a message of this protocol: {error}.") from error


# Cases that each notebook of a class is asked, with what they are encoded as: by their identity,
# which is theirs as long as they are held here.
_ASKED_OF_ALL: dict[int, tuple[Sequence[Case], str]] = {}


def encode_ahead(cases: Sequence[Case]) -> None:
    """Encode these once, before processes are forked that would each do it again."""
    _ASKED_OF_ALL[id(cases)] = cases, encode_cases(cases)


def encode_cases(cases: Sequence[Case]) -> str:
    """Cases for a process that trusts this one: far faster to take apart than JSON.

    >>> decode_cases(encode_cases([Case(((2, 3), 1))]))
    (Case(arguments=((2, 3), 1), measured=False),)
    """
    if id(cases) in _ASKED_OF_ALL:
        return _ASKED_OF_ALL[id(cases)][1]
    return base64.b64encode(zlib.compress(pickle.dumps(tuple(cases)), 1)).decode("ascii")


def decode_cases(text: str) -> tuple[Case, ...]:
    """What `encode_cases` made a line of. Never for what a learner's process says: it is pickle."""
    cases: tuple[Case, ...] = pickle.loads(zlib.decompress(base64.b64decode(text)))
    return cases


def _is_told_alike(things: Sequence[Any]) -> bool:
    """Whether JSON itself tells a list or a tuple's items as they are told here."""
    kinds = {*map(type, things)}
    if kinds <= _SIMPLE:
        return True
    return kinds == _TUPLES and {*map(type, chain.from_iterable(things))} <= _SIMPLE


def _items(said: list[Any]) -> list[Any]:
    """Each of them as `_thing` has it: at once where they are alike, since most are."""
    kinds = {*map(type, said)}
    if kinds <= _SIMPLE:
        return said
    if kinds == _LISTS and {*map(type, chain.from_iterable(said))} <= _SIMPLE:
        return [*map(tuple, said)]
    return [each if type(each) in _SIMPLE else _thing(each) for each in said]


def _thing(plain: Any) -> Any:
    kind = type(plain)
    if kind in _SIMPLE:
        return plain
    if kind is list:
        return tuple(_items(plain))
    if len(plain) != 1:
        raise ValueError("an object with one member was expected")
    ((name, value),) = plain.items()
    if name == "value":
        return Outcome("value", _thing(value))
    if name == "raised":
        return _raised(tuple(value))
    if name == "bytes":
        return binascii.a2b_base64(value, strict_mode=True)
    if type(value) is not list:
        raise ValueError(f"a list was expected in {name}")
    items = _items(value)
    if name == "list":
        return items
    for may_be, item in zip(_ALLOWED[name], items, strict=True):
        if not may_be(item):
            raise ValueError(f"a {type(item).__name__} stands where there is none in {name}")
    return _RECORDS[name](*items)


@lru_cache(maxsize=64)
def _raised(bases: tuple[Any, ...]) -> Outcome:
    if not _TEXTS(bases):
        raise ValueError("the bases of an exception are names")
    return Outcome("raised", bases=bases)


_LISTS, _TUPLES = {list}, {tuple}
_SIMPLE = {type(None), bool, int, float, str}


def _test(kind: Any) -> Callable[[Any], bool]:
    """Whether something may stand where an annotation says that this stands."""
    of = get_args(kind)
    if kind is Any:
        return lambda _: True
    if get_origin(kind) is Literal:
        return lambda item: item in of
    if get_origin(kind) is tuple:
        each = of[0]
        return lambda item: type(item) is tuple and (each is Any or {*map(type, item)} <= {each})
    kinds = of or (kind,)
    return lambda item: type(item) in kinds


_RECORDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (BatchOutcomes, Case, Foreign, Outcome, SourceLine, SourceCall, TensorData)
}
_FIELDS: dict[str, tuple[str, ...]] = {
    name: getattr(kind, "_fields", None) or tuple(each.name for each in dataclasses.fields(kind))
    for name, kind in _RECORDS.items()
}
# What an outcome says after its kind and value, where there is nothing to say.
_USUAL = Outcome("value")[2:]
_TEXTS = _test(tuple[str, ...])
# What may stand in each part of a record. A value may be anything that crosses.
_ALLOWED = {
    name: [_test(get_type_hints(record)[field]) for field in _FIELDS[name]]
    for name, record in _RECORDS.items()
}
