"""Which elements travel when a change is shown in motion, and from where to where.

- Another header: cells go from their places in the old grid to those in the new one.
- A copy: elements go from the old strip to the new one.
- A write: new values spread from the strip to every grid that shows them.
- A grown or shrunk storage: cells go from the old grid to the new one, as memory stays.
"""

from collections.abc import Iterator
from typing import NamedTuple

from stridekit.diagrams.scenes.scene import Cell, Grid, Scene, Section, Slot
from stridekit.layouts.layout import Ints, Layout

TRAVELS_MOST = 200


class Spot(NamedTuple):
    """A cell of a grid, or a slot of a section's first strip where `grid` is None."""

    section: int
    grid: int | None
    number: int


class Travel(NamedTuple):
    """An element's way. `old` is what stands at its end until it comes; None for nothing."""

    start: Spot
    end: Spot
    old: str | None = None


def travels_of(scene: Scene) -> list[Travel]:
    """All ways there are in a scene of a change, in reading order; none in other scenes."""
    ways = {"header": _by_header, "copy": _by_copy, "write": _by_write, "resize": _by_resize}
    return [*ways[scene.change](scene)] if scene.change else []


def travels_note(scene: Scene) -> str:
    """What is said of a motion that would be too much; empty if all of it is shown."""
    number = len(travels_of(scene))
    if number <= TRAVELS_MOST:
        return ""
    return f"In motion: the first {TRAVELS_MOST} of {number:,} elements shown."


def _by_header(scene: Scene) -> Iterator[Travel]:
    if len(scene.sections) == 1 and len(scene.sections[0].grids) == 2:
        section = scene.sections[0]
        yield from _between(section, (0, 0), section, (0, 1))


def _by_resize(scene: Scene) -> Iterator[Travel]:
    before, after = scene.sections
    yield from _between(before, (0, 0), after, (1, 0))


def _between(
    before: Section, old: tuple[int, int], after: Section, new: tuple[int, int]
) -> Iterator[Travel]:
    """From one grid to another by address; what the first does not show comes from the strip."""
    sources = _spots_at(before.grids[old[1]], *old)
    slots = _slots_at(before, old[0])
    for number, cell in enumerate(after.grids[new[1]].cells):
        start = sources.get(cell.address, slots.get(cell.address))
        if start is not None:
            yield Travel(start, Spot(*new, number))


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


def _spots_at(grid: Grid, section: int, place: int) -> dict[int, Spot]:
    """By address the first cell that shows it."""
    spots: dict[int, Spot] = {}
    for number, cell in enumerate(grid.cells):
        spots.setdefault(cell.address, Spot(section, place, number))
    return spots


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
