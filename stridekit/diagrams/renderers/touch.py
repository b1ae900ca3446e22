"""Which cell of a picture is which slot of memory, as data for the code that a page runs.

The picture itself says nothing of this, and stays as small as it is. What is written here is
read by `touch.js`, which looks up what is pointed at and asks nobody.
"""

import json
from collections.abc import Sequence
from itertools import chain
from typing import Any

from stridekit.diagrams.pages.page import Page, Places
from stridekit.diagrams.scenes.scene import Cell, Grid, Mark, Marks, Scene, Slot, Strip

# Larger numbers are not whole in a browser, and are written as text.
WHOLE_MOST = 2**53
# States that are told with a cell. The others are seen at once.
_TOLD: dict[Mark, str] = {
    "outside": "outside of the storage",
    "unwritten": "not initialised",
    "written": "changed",
    "selected": "selected",
}


def touch_data(scene: Scene, page: Page) -> str:
    """The places of all cells and slots, as JSON: a part for each grid and each strip.

    A part has the number of its section `s` and its label `l`, its name `n`, its unit `u` in
    bytes, the memory `o` that it shows and from which byte on, the size of its cells `w` and `h`
    in pixels, and columns that run along the cells: left and upper sides `x` and `y`, addresses
    `a` in units, texts `t`. A grid has its indices one after another in `i`, `d` numbers each.
    `m` has words for some of the cells, by their number.
    `v` says whether texts are values. `moves` are ways of elements from the first strip of the
    first section to that of the second, in units.
    """
    parts: dict[int, dict[str, Any]] = {}
    label = ""
    for number, section in enumerate(scene.sections):
        # What stands above the first of several is of all of them.
        label = section.label or label
        owners: tuple[Grid | Strip, ...] = (*section.grids, *section.strips)
        for owner in owners:
            name = owner.name if isinstance(owner, Grid) else ""
            part: dict[str, Any] = {"s": number, "l": label, "n": name, "u": owner.unit}
            part["o"] = section.memory, section.start
            part |= {column: [] for column in "xyat"}
            if isinstance(owner, Grid):
                part |= {"d": len(owner.dims), "i": []}
            parts[id(owner)] = part
    for places in page.places:
        _add(parts[id(places.owner)], places)
    shown = [part for part in parts.values() if part["a"]]
    for part in shown:
        if any(abs(address) * part["u"] >= WHOLE_MOST for address in part["a"]):
            part["a"] = [*map(str, part["a"])]
    data = {
        "width": page.width,
        "height": page.height,
        "v": int(scene.values),
        "parts": shown,
        "moves": scene.moves,
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _add(part: dict[str, Any], places: Places) -> None:
    """Add cells that stand together to what is told of their grid or strip."""
    begun = len(part["a"])
    part |= {"w": places.width, "h": places.height}
    part["x"] += places.xs
    part["y"] += places.ys
    things: Sequence[Cell | Slot] = places.things
    part["a"] += [thing.address for thing in things]
    part["t"] += [thing.text for thing in things]
    if isinstance(places.owner, Grid):
        part["i"] += chain.from_iterable(cell.index for cell in things)  # type: ignore[misc]
    for number, thing in enumerate(things, begun):
        if thing.marks or thing.group is None:
            words = _words(thing.group, thing.marks)
            if words:
                part.setdefault("m", {})[number] = words


def _words(group: int | None, marks: Marks) -> str:
    if group is None and not marks:
        return "no index leads here"
    return ", ".join(_TOLD[mark] for mark in marks if mark in _TOLD)
