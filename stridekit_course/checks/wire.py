"""Cases and outcomes as text: for a function that lives in another process.

What comes back is JSON, and taken apart with care, for somebody else's process wrote it: only the
types that cross the seam have a form here. Tuples, the most frequent, are JSON's arrays; whatever
JSON has no word for is an object with one member, which says its type, and holds a tuple of these:
of records a column for each field. Cases alone, which go to a process that trusts this one, are
pickled: nothing that comes back ever is.
"""

import base64
import binascii
import pickle
import zlib
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, repeat
from operator import attrgetter
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

    >>> import json
    >>> heard(json.loads(json.dumps(told((1, [True, None], 0.5)))))
    (1, [True, None], 0.5)
    """
    return _all_told((thing,))


def heard(said: Any) -> Any:
    """What `told` made of a thing. Raises WireError for what nobody has told."""
    try:
        (thing,) = _all_heard(said)
        return thing
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


def _all_told(things: tuple[Any, ...]) -> Any:
    """A tuple. Most are of one kind, such as the outcomes of a run."""
    kinds = {*map(type, things)}
    if kinds <= _SIMPLE:
        return things
    if kinds == _TUPLES and {*map(type, chain.from_iterable(things))} <= _SIMPLE:
        # JSON itself tells them as they are told here.
        return things
    if kinds <= _TUPLES | _SIMPLE:
        return [each if type(each) in _SIMPLE else _all_told(each) for each in things]
    if len(kinds) == 1:
        return _several(kinds.pop(), things)
    by_kind: dict[type, list[Any]] = {}
    for each in things:
        by_kind.setdefault(type(each), []).append(each)
    order = [*map([*by_kind].index, map(type, things))]
    return {"mixed": [order, *(_all_told(tuple(those)) for those in by_kind.values())]}


def _several(kind: type, things: tuple[Any, ...]) -> Any:
    """Things of one kind: of records a column for each field, and None where it says nothing."""
    if kind is list:
        return {"list": _all_told((*map(tuple, things),))}
    if kind is bytes:
        return {"bytes": [base64.b64encode(each).decode("ascii") for each in things]}
    name = kind.__name__
    if _RECORDS.get(name) is not kind:
        raise WireError(f"{name} cannot cross to another process.")
    columns = zip(*map(attrgetter(*_FIELDS[name]), things), strict=True)
    return {
        name: [
            None if column.count(default) == len(column) else _all_told(column)
            for column, default in zip(columns, _DEFAULTS[name], strict=True)
        ]
    }


def _all_heard(said: Any) -> tuple[Any, ...]:
    if type(said) is list:
        kinds = {*map(type, said)}
        if kinds <= _SIMPLE:
            return tuple(said)
        if kinds == _LISTS and {*map(type, chain.from_iterable(said))} <= _SIMPLE:
            return (*map(tuple, said),)
        return tuple(each if type(each) in _SIMPLE else _all_heard(each) for each in said)
    ((name, value),) = dict.items(said)
    if name == "mixed":
        order, *kinds = value
        waiting = [[*_all_heard(those)][::-1] for those in kinds]
        return tuple(waiting[number].pop() for number in order)
    if name == "list":
        return (*map(list, _all_heard(value)),)
    if name == "bytes":
        return tuple(binascii.a2b_base64(each, strict_mode=True) for each in value)
    columns: list[Any] = [None if each is None else _all_heard(each) for each in value]
    (count,) = {len(each) for each in columns if each is not None}
    for place, (may_be, default) in enumerate(zip(_ALLOWED[name], _DEFAULTS[name], strict=True)):
        if columns[place] is None and default is not ...:
            columns[place] = repeat(default, count)
        elif not may_be(columns[place]):
            raise ValueError(f"something stands in field {place} of {name} that must not")
    return (*map(_RECORDS[name], *columns),)


_LISTS, _TUPLES = {list}, {tuple}
_SIMPLE = {type(None), bool, int, float, str}


def _test(kind: Any) -> Callable[[Iterable[Any]], bool]:
    """Whether all of these may stand where an annotation says that one stands."""
    of = get_args(kind)
    if kind is Any:
        return lambda _: True
    if get_origin(kind) is Literal:
        return lambda column: {*column} <= {*of}
    if get_origin(kind) is tuple:
        items = _test(of[0])
        return lambda column: {*map(type, column)} <= _TUPLES and items(chain.from_iterable(column))
    kinds = {*of} or {kind}
    return lambda column: {*map(type, column)} <= kinds


_RECORDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (BatchOutcomes, Case, Foreign, Outcome, SourceLine, SourceCall, TensorData)
}
_FIELDS = {name: get_type_hints(record) for name, record in _RECORDS.items()}
# Where a field has no default, what no record has.
_DEFAULTS = {
    name: [getattr(record, "_field_defaults", {}).get(field, ...) for field in _FIELDS[name]]
    for name, record in _RECORDS.items()
}
# What may stand in each part of a record. A value may be anything that crosses.
_ALLOWED = {name: [*map(_test, fields.values())] for name, fields in _FIELDS.items()}
