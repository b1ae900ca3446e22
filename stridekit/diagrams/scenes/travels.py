"""Which elements travel when a change is shown in motion, and from where to where.

- A copy: elements go from the old strip to the new one.
- A write: new values spread from the strip to every grid that shows them.
- Another header, also over a storage that has grown: nothing travels, for memory stays. The new
  grid's cells are read one after another, each from its slot.
"""

from collections.abc import Iterator
from typing import NamedTuple

from stridekit.diagrams.scenes.scene import Cell, Change, Grid, Scene, Section, Slot
from stridekit.layouts.layout import Ints, Layout

TRAVELS_MOST = 200
# Changes after which elements lie where they lay.
READ_ANEW: tuple[Change, ...] = ("header", "resize")


class Spot(NamedTuple):
    """A cell of a grid, or a slot of a section's first strip where `grid` is None."""

    section: int
    grid: int | None
    number: int


class Travel(NamedTuple):
    """An element's way. `old` is what stands at its end until it comes; None for nothing.

    Where it is read anew, it appears at its end while its start is pointed at.
    """

    start: Spot
    end: Spot
    old: str | None = None


def travels_of(scene: Scene) -> list[Travel]:
    """All ways there are in a scene of a change, in reading order; none in other scenes."""
    ways = {"header": _by_reading, "copy": _by_copy, "write": _by_write, "resize": _by_reading}
    return [*ways[scene.change](scene)] if scene.change else []


def travels_note(scene: Scene) -> str:
    """What is said of a motion that would be too much; empty if all of it is shown."""
    number = len(travels_of(scene))
    if number <= TRAVELS_MOST:
        return ""
    return f"In motion: the first {TRAVELS_MOST} of {number:,} elements shown."


def _by_reading(scene: Scene) -> Iterator[Travel]:
    """The last grid's cells in reading order, from the slots of the strip that they stand over."""
    number, section = len(scene.sections) - 1, scene.sections[-1]
    place = len(section.grids) - 1
    if number + place != 1:
        return
    slots = _slots_at(section, number)
    for cell_number, cell in enumerate(section.grids[place].cells):
        if cell.address in slots:
            yield Travel(slots[cell.address], Spot(number, place, cell_number))


def _by_copy(scene: Scene) -> Iterator[Travel]:
    """From strip to strip: an element of one index, or of one place in reading order."""
    before, after = scene.sections
    old, new = before.grids[0], after.grids[0]
    sources, targets = _slots_at(before, 0), _slots_at(after, 1)
    old_size, new_size = _size(old), _size(new)
    address_of = {_flat(cell, old_size): cell.address for cell in old.cells}
    gone = set()
    for cell in new.cells:
        source = address_of.get(_flat(cell, new_size))
        if source in sources and cell.address in targets and cell.address not in gone:
            gone.add(cell.address)
            yield Travel(sources[source], targets[cell.address])


def _by_write(scene: Scene) -> Iterator[Travel]:
    """From the strip to all cells of what was written, where the same tensors stand before."""
    half = len(scene.sections) // 2
    for number, after in enumerate(scene.sections[half:], half):
        before = scene.sections[number - half]
        slots = _slots_at(after, number)
        for place, grid in enumerate(after.grids):
            known = before.grids[place].cells if place < len(before.grids) else ()
            texts = {cell.index: cell.text for cell in known}
            for cell_number, cell in enumerate(grid.cells):
                if "written" in cell.marks and cell.address in slots:
                    end = Spot(number, place, cell_number)
                    yield Travel(slots[cell.address], end, texts.get(cell.index))


def _slots_at(section: Section, place: int) -> dict[int, Spot]:
    """By address the slots of the first strip; none where it shares its rows with another."""
    if len(section.strips) != 1:
        return {}
    slots = [slot for slot in section.strips[0].slots if isinstance(slot, Slot)]
    return {slot.address: Spot(place, None, number) for number, slot in enumerate(slots)}


def _size(grid: Grid) -> Ints:
    return tuple(label.size for label in sorted(grid.dims))


def _flat(cell: Cell, size: Ints) -> int:
    """Its place in reading order."""
    return Layout.of(size).position(cell.index)
