"""The line of code that brings an explorer's state back: `strides(size=(4, 3), stride=(1, 4))`."""

from collections.abc import Mapping
from typing import Any, TypeVar

from stridekit.explorers.explorer import Button, Choice, Explorer, MisreadError, read
from stridekit.explorers.header_state import torch_source
from stridekit.layouts.layout import Layout

S = TypeVar("S")


def recalling_line(explorer: Explorer[S], state: S) -> str:
    """The call that opens an explorer in a state: what differs from its first state, by name.

    Law: what the line opens has that state.

    >>> from stridekit.explorers import EXPLORERS, strides
    >>> recalling_line(EXPLORERS["strides"], strides(preset="window").state)
    "strides(preset='window')"
    """
    layout = explorer.begins(state)
    given = [] if layout is None else [torch_source(layout)]
    named = {
        each.name: getattr(state, each.name)
        for each in explorer.controls
        if not isinstance(each, Button)
    }
    named |= {name: getattr(state, name) for name in explorer.extras}
    start = _given(explorer, layout)
    first = read(explorer, explorer.initial, start)
    told = {name: value for name, value in named.items() if value != getattr(first, name)}
    if not _leads_to(explorer, start, told, state):
        return _call(explorer, given, named)
    # What follows from the others is left out. A preset may stand for fields, or they for it.
    choices = {each.name for each in explorer.controls if isinstance(each, Choice)}
    for name in sorted(told, key=choices.__contains__):
        fewer = {other: value for other, value in told.items() if other != name}
        if _leads_to(explorer, start, fewer, state):
            told = fewer
    return _call(explorer, given, told)


def _given(explorer: Explorer[S], layout: Layout | None) -> Mapping[str, Any]:
    if layout is None:
        return {}
    reach = layout.reach
    return explorer.from_layout(layout, 0 if reach is None else reach[1] + 1)


def _leads_to(
    explorer: Explorer[S], start: Mapping[str, Any], changes: Mapping[str, Any], state: S
) -> bool:
    # Values of a valid state are valid, so they need not be read again.
    try:
        return explorer.change(explorer.initial, {**start, **changes}) == state
    except MisreadError:
        return False


def _call(explorer: Explorer[S], given: list[str], changes: Mapping[str, Any]) -> str:
    extras = explorer.extras
    told = {name: extras[name].tell(value) if name in extras else value
            for name, value in changes.items()}  # fmt: skip
    return f"{explorer.name}({', '.join([*given, *(f'{n}={v!r}' for n, v in told.items())])})"
