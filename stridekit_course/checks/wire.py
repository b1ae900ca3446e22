"""Cases and outcomes as JSON: for a function that lives in another process.

Only the types that cross the seam have a form here, and what comes back is taken apart with
care, for somebody else's process wrote it. Tuples, the most frequent, are JSON's arrays; whatever
JSON has no word for is an object with one member, which says its type.
"""

import base64
import binascii
import dataclasses
import json
import marshal
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, chain, pairwise, repeat
from typing import Any

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

LONGEST = 64 * 1024 * 1024


class WireError(StridekitError, ValueError):
    """A message that is none, or that holds what may not cross."""


def encode(thing: Any) -> str:
    """A case, an outcome, or a value that may cross, as one line of JSON.

    Raises WireError for anything else.

    >>> decode(encode((1, [True, None], 0.5)))
    (1, [True, None], 0.5)
    """
    return json.dumps(told(thing), separators=(",", ":"))


def decode(text: str) -> Any:
    """What `encode` made a line of. Raises WireError where that is none."""
    if len(text) > LONGEST:
        raise WireError(f"a message of {len(text):,} characters; at most {LONGEST:,} are read.")
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _no_message(error) from error
    return heard(said)


def heard(said: Any) -> Any:
    """What `told` made of a thing. Raises WireError for what nobody has told."""
    try:
        return _thing(said)
    except (ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
        raise _no_message(error) from error


def _no_message(error: Exception) -> WireError:
    return WireError(f"not a message of this protocol: {error}.")


def encode_cases(cases: Sequence[Case]) -> str:
    """Cases for a process that trusts this one: far faster to take apart than JSON.

    >>> decode_cases(encode_cases([Case(((2, 3), 1))]))
    (Case(arguments=((2, 3), 1), measured=False),)
    """
    memories: dict[bytes, int] = {}
    rows = []
    for case in cases:
        tensors = []
        arguments = list(case.arguments)
        for place, each in enumerate(arguments):
            if type(each) is TensorData:
                fields = [getattr(each, field) for field in _FIELDS["TensorData"]]
                fields[_STORAGE] = memories.setdefault(each.storage, len(memories))
                tensors.append((place, tuple(fields)))
                arguments[place] = None
        rows.append((tuple(arguments), case.measured, tuple(tensors)))
    packed = zlib.compress(marshal.dumps(([*memories], rows)), 1)
    return base64.b64encode(packed).decode("ascii")


def decode_cases(text: str) -> tuple[Case, ...]:
    """What `encode_cases` made a line of. Never for what a learner's process says."""
    memories, rows = marshal.loads(zlib.decompress(base64.b64decode(text)))
    cases = []
    for arguments, measured, tensors in rows:
        if tensors:
            made = list(arguments)
            for place, fields in tensors:
                parts = list(fields)
                parts[_STORAGE] = memories[parts[_STORAGE]]
                made[place] = TensorData(*parts)
            arguments = tuple(made)
        cases.append(Case(arguments, measured))
    return tuple(cases)


def told(thing: Any) -> Any:
    """The same in what JSON has words for: part of a longer message. Raises WireError."""
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
    if kind is BatchOutcomes:
        return {"BatchOutcomes": _columns(thing)}
    name = kind.__name__
    if name in _RECORDS and kind is _RECORDS[name]:
        return {name: [told(getattr(thing, field)) for field in _FIELDS[name]]}
    raise WireError(f"{name} cannot cross to another process.")


def _columns(run: BatchOutcomes) -> list[Any]:
    """A run, told by kind: a check makes thousands of outcomes, and nearly all are alike.

    Plain values stand in their places, and null for what is told apart: tensors by columns, what
    is neither by itself, and which names were called.
    """
    values: list[Any] = []
    tensors: list[tuple[int, Outcome]] = []
    others, calls = [], []
    for number, outcome in enumerate(run.outcomes):
        if outcome.calls:
            calls.append((number, told(outcome.calls)))
            outcome = outcome._replace(calls=())
        value = outcome.value
        if outcome.kind == "value" and outcome[4:] == _USUAL[2:]:
            kind = type(value)
            if kind is TensorData:
                tensors.append((number, outcome))
                values.append(None)
                continue
            if outcome.is_argument is outcome.aliases is None:
                values.append(value if kind in _SIMPLE else told(value))
                continue
        others.append((number, told(outcome)))
        values.append(None)
    return [values, _tensor_columns(tensors), others, calls, run.talks]


def _tensor_columns(tensors: Sequence[tuple[int, Outcome]]) -> list[Any]:
    """Outcomes that are tensors: a list of each part, and their storages in one text."""
    numbers = [number for number, _ in tensors]
    outcomes = [outcome for _, outcome in tensors]
    parts: list[Any] = [*zip(*(outcome.value for outcome in outcomes), strict=True)]
    if not parts:
        return []
    storages = parts[_STORAGE]
    parts[_STORAGE] = [*map(len, storages)]
    parts += [outcome.is_argument for outcome in outcomes], [each.aliases for each in outcomes]
    # Of most columns all are alike.
    told_once = (part[:1] if part.count(part[0]) == len(part) else part for part in parts)
    return [numbers, base64.b64encode(b"".join(storages)).decode("ascii"), *told_once]


def _run(values: Any, tensors: Any, others: Any, calls: Any, talks: Any) -> BatchOutcomes:
    """The run of its columns, each of which may be anything."""
    if {*map(type, (values, tensors, others, calls))} != _LISTS or type(talks) is not bool:
        raise ValueError("a run is told in four lists, and whether anything was printed")
    outcomes = [*map(Outcome._make, zip(repeat("value"), _things(values), *_ALL_USUAL))]
    if tensors:
        for number, outcome in _tensor_outcomes(*tensors):
            outcomes[_place(number, outcomes)] = outcome
    for number, said in others:
        outcome = _thing(said)
        if type(outcome) is not Outcome:
            raise ValueError("a run consists of outcomes")
        outcomes[_place(number, outcomes)] = outcome
    for number, said in calls:
        seen = _thing(said)
        if not _CALLS(seen):
            raise ValueError("what was called is told by calls")
        place = _place(number, outcomes)
        outcomes[place] = outcomes[place]._replace(calls=seen)
    return BatchOutcomes(tuple(outcomes), talks)


def _place(number: Any, outcomes: Sequence[Outcome]) -> int:
    if type(number) is not int or not 0 <= number < len(outcomes):
        raise ValueError("an outcome has a number")
    return number


def _tensor_outcomes(numbers: Any, storages: Any, *told_once: Any) -> Iterable[tuple[Any, Outcome]]:
    """The outcomes of their columns. Looked at column by column: there are thousands."""
    if {*map(type, (numbers, *told_once))} != _LISTS or type(storages) is not str:
        raise ValueError("tensors are told in columns")
    count = len(numbers)
    columns = [each * count if len(each) == 1 else each for each in told_once]
    library, dtype, size, stride, offset, length, memory, read_only, apart, *sharing = columns
    _must_be_of_tensors(library, dtype, size, stride, read_only, (offset, length, memory, apart))
    if (
        {*map(len, columns)} != {count}
        or not {*map(type, chain(*sharing))} <= _INTEGER_OR_NONE
        or min(length) < 0
    ):
        raise ValueError("the columns of tensors do not fit together")
    held = binascii.a2b_base64(storages, strict_mode=True)
    ends = [*accumulate(length, initial=0)]
    if ends[-1] != len(held):
        raise ValueError("storages have another length")
    columns[2:4] = map(tuple, size), map(tuple, stride)
    columns[_STORAGE] = [held[begin:end] for begin, end in pairwise(ends)]
    values = map(TensorData._make, zip(*columns[:-2], strict=True))
    made = zip(repeat("value"), values, *sharing, *_ALL_USUAL[2:])
    return zip(numbers, map(Outcome._make, made), strict=True)


def _is_told_alike(things: Sequence[Any]) -> bool:
    """Whether JSON itself tells a list or a tuple's items as they are told here."""
    kinds = {*map(type, things)}
    if kinds <= _SIMPLE:
        return True
    return kinds == _TUPLES and {*map(type, chain.from_iterable(things))} <= _SIMPLE


def _things(said: list[Any]) -> Iterable[Any]:
    """Each of them as `_thing` has it: at once where they are alike, since most are."""
    kinds = {*map(type, said)}
    if kinds <= _SIMPLE:
        return said
    if kinds == _LISTS and {*map(type, chain.from_iterable(said))} <= _SIMPLE:
        return map(tuple, said)
    return map(_thing, said)


def _thing(plain: Any) -> Any:
    kind = type(plain)
    if kind in _SIMPLE:
        return plain
    if kind is list:
        return tuple(_things(plain))
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
    if name == "BatchOutcomes":
        return _run(*value)
    if name == "TensorData":
        return _tensor(*(_text_of(part) if n == _STORAGE else part for n, part in enumerate(value)))
    items = [*_things(value)]
    if name == "list":
        return items
    fields = _FIELDS[name]
    if len(items) != len(fields):
        raise ValueError(f"{name} has {len(fields)} parts, and not {len(items)}")
    for field, item in zip(fields, items, strict=True):
        if not _ALLOWED[name, field](item):
            raise ValueError(f"{field} of {name} cannot be a {type(item).__name__}")
    return _RECORDS[name](*items)


def _text_of(storage: Any) -> Any:
    """What `told` said of bytes."""
    if type(storage) is not dict or {*storage} != {"bytes"}:
        raise ValueError("a storage is bytes")
    return storage["bytes"]


def _tensor(
    library: Any,
    dtype: Any,
    size: Any,
    stride: Any,
    storage_offset: Any,
    storage: Any,
    memory: Any,
    read_only: Any,
    apart: Any,
) -> TensorData:
    """A tensor, of parts that may be anything."""
    numbers = ([storage_offset, memory, apart],)
    _must_be_of_tensors([library], [dtype], [size], [stride], [read_only], numbers)
    held = binascii.a2b_base64(storage, strict_mode=True)
    return TensorData(
        library, dtype, tuple(size), tuple(stride), storage_offset, held, memory, read_only, apart
    )


def _must_be_of_tensors(
    library: Any, dtype: Any, size: Any, stride: Any, read_only: Any, numbers: Any
) -> None:
    """Each of these lists must hold that part of tensors. Raises ValueError."""
    if not (
        {*map(type, chain(library, dtype))} <= _TEXT_ALONE
        and {*library} <= _TENSOR_LIBRARIES
        and {*map(type, chain(size, stride))} <= _LISTS
        and {*map(type, chain.from_iterable(chain(size, stride)))} <= _INTEGER
        and {*map(type, chain(*numbers))} <= _INTEGER
        and {*map(type, read_only)} <= {bool}
    ):
        raise ValueError("a tensor has other parts")


@lru_cache(maxsize=64)
def _raised(bases: tuple[Any, ...]) -> Outcome:
    if not _TEXTS(bases):
        raise ValueError("the bases of an exception are names")
    return Outcome("raised", bases=bases)


_INTEGER, _INTEGER_OR_NONE, _TEXT_ALONE = {int}, {int, type(None)}, {str}
_TENSOR_LIBRARIES = {"torch", "stridekit", "numpy"}
_LISTS, _TUPLES = {list}, {tuple}
_SIMPLE = {type(None), bool, int, float, str}


def _is(*kinds: type) -> Callable[[Any], bool]:
    return lambda item: type(item) in kinds


def _tuple_of(*kinds: type) -> Callable[[Any], bool]:
    return lambda item: type(item) is tuple and {*map(type, item)} <= {*kinds}


_RECORDS: dict[str, Any] = {
    kind.__name__: kind for kind in (Case, Foreign, Outcome, SourceLine, SourceCall, TensorData)
}
_FIELDS: dict[str, tuple[str, ...]] = {
    name: getattr(kind, "_fields", None) or tuple(each.name for each in dataclasses.fields(kind))
    for name, kind in _RECORDS.items()
}
_STORAGE = _FIELDS["TensorData"].index("storage")
# What an outcome says after its kind and value, where there is nothing to say.
_USUAL = Outcome("value")[2:]
_ALL_USUAL = [*map(repeat, _USUAL)]
_INT, _TEXT, _BOOL = _is(int), _is(str), _is(bool)
_MAYBE_INT, _TEXTS, _CALLS = _is(int, type(None)), _tuple_of(str), _tuple_of(SourceCall)
# What may stand in each part of a record. A value may be anything that crosses.
_ALLOWED: dict[tuple[str, str], Callable[[Any], bool]] = {
    ("Case", "arguments"): _is(tuple),
    ("Case", "measured"): _BOOL,
    ("Foreign", "type"): _TEXT,
    ("Foreign", "shown"): _TEXT,
    ("Outcome", "kind"): lambda item: item in ("value", "raised", "stopped"),
    ("Outcome", "value"): lambda _: True,
    ("Outcome", "is_argument"): _MAYBE_INT,
    ("Outcome", "aliases"): _MAYBE_INT,
    ("Outcome", "bases"): _TEXTS,
    ("Outcome", "raised"): _TEXT,
    ("Outcome", "printed"): _TEXT,
    ("Outcome", "changed"): _MAYBE_INT,
    ("Outcome", "calls"): _CALLS,
    ("Outcome", "peak"): _MAYBE_INT,
    ("Outcome", "place"): _is(SourceLine, type(None)),
    ("SourceLine", "line"): _INT,
    ("SourceLine", "text"): _TEXT,
    ("SourceLine", "helper"): _TEXT,
    ("SourceLine", "raises"): _BOOL,
    ("SourceCall", "name"): _TEXT,
    ("SourceCall", "place"): _is(SourceLine),
}
