"""Cases and outcomes as JSON: for a function that lives in another process.

Only the types that cross the seam have a form here, and what comes back is taken apart with
care, for somebody else's process wrote it.
"""

import base64
import dataclasses
import json
from typing import Any

from stridekit.checks.seam import Case, Foreign, Outcome, SourceCall, TensorData
from stridekit.errors import StridekitError

LONGEST = 64 * 1024 * 1024


class WireError(StridekitError, ValueError):
    """A message that is none, or that holds what may not cross."""


_RECORDS: dict[str, Any] = {
    kind.__name__: kind for kind in (Case, Foreign, Outcome, SourceCall, TensorData)
}


def encode(thing: Any) -> str:
    """A case, an outcome, or a value that may cross, as one line of JSON.

    Raises WireError for anything else.

    >>> decode(encode((1, [True, None], 0.5)))
    (1, [True, None], 0.5)
    """
    return json.dumps(_plain(thing), separators=(",", ":"))


def decode(text: str) -> Any:
    """What `encode` made a line of. Raises WireError where that is none."""
    if len(text) > LONGEST:
        raise WireError(f"a message of {len(text):,} characters; at most {LONGEST:,} are read.")
    try:
        return _thing(json.loads(text))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise WireError(f"not a message of this protocol: {error}.") from error


def _plain(thing: Any) -> Any:
    kind = type(thing)
    if thing is None or kind in (bool, str):
        return thing
    if kind is int:
        # As text: JSON's numbers are other programs' floats.
        return {"int": str(thing)}
    if kind is float:
        return {"float": thing.hex()}
    if kind is bytes:
        return {"bytes": base64.b64encode(thing).decode("ascii")}
    if kind in (tuple, list):
        return {kind.__name__: [_plain(item) for item in thing]}
    if kind.__name__ in _RECORDS and kind is _RECORDS[kind.__name__]:
        fields = [_plain(getattr(thing, field.name)) for field in dataclasses.fields(thing)]
        return {kind.__name__: fields}
    raise WireError(f"{kind.__name__} cannot cross to another process.")


def _thing(plain: Any) -> Any:
    if plain is None or isinstance(plain, bool | str):
        return plain
    if not (isinstance(plain, dict) and len(plain) == 1):
        raise ValueError("an object with one member was expected")
    ((kind, value),) = plain.items()
    if kind == "int":
        return int(value)
    if kind == "float":
        return float.fromhex(value)
    if kind == "bytes":
        return base64.b64decode(value, validate=True)
    items = [_thing(item) for item in value]
    if kind in ("tuple", "list"):
        return tuple(items) if kind == "tuple" else items
    return _RECORDS[kind](*items)
