"""How floats are told: in one notation for all that a section shows, as NumPy and torch do.

A scene is composed with each float told exactly. Once all are known, they are told alike.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple, TypeVar

from stridekit.diagrams.scenes.scene import Cell, Scene, Section, Slot

# So many digits of each float are told, and so many stand in a text at most: float32 has no more.
DIGITS, DIGITS_MOST = 4, 7
# All have exponents where the largest one is smaller than the first, or as large as the second.
SMALL, LARGE = 1e-4, 999_999.5
# Where all are whole they have a place after the point as long as the largest one is shorter.
LONG_WHOLE = 1000
# No text is longer: a sign, four digits with a point, an exponent of three.
LONGEST = 12

T = TypeVar("T", Cell, Slot)


class Notation(NamedTuple):
    """How floats are told: with so many places after the point, and all with exponents or none."""

    places: int
    exponents: bool = False

    @classmethod
    def of(cls, values: Iterable[float]) -> "Notation":
        """The notation for some floats: four digits of the largest one, a digit of each.

        There are more where two that differ in their first four digits would read alike.

        >>> Notation.of([12.5, 1 / 3]), Notation.of([12.5, 0.331, 0.332])
        (Notation(places=2, exponents=False), Notation(places=3, exponents=False))
        >>> Notation.of([1.0, 2e-9])
        Notation(places=0, exponents=True)
        """
        finite = sorted({abs(value) for value in values if isfinite(value)} - {0.0})
        if not finite:
            return cls(1)
        least, largest = finite[0], finite[-1]
        (behind, low), (_, high) = _digits(least), _digits(largest)
        if all(value.is_integer() for value in finite):
            places = int(largest < LONG_WHOLE)
        else:
            # Where the least one has all digits that it may, no other has more places.
            looked_at = finite[: 1 if behind == DIGITS - 1 else None]
            enough = max(behind - power for behind, power in map(_digits, looked_at))
            places = max(min(enough, DIGITS - 1 - high), -low, 1)
            while places < enough and not _tells_apart(places, finite):
                places += 1
        if len(str(int(largest))) + places > DIGITS_MOST or not SMALL <= largest < LARGE:
            return cls(max(behind for behind, _ in map(_digits, finite)), exponents=True)
        return cls(places)

    def text(self, value: float) -> str:
        """A float in this notation; the point stands also where nothing follows it.

        >>> Notation(2).text(12.5), Notation(0).text(12000.0), Notation(1, True).text(12.5)
        ('12.50', '12000.', '1.2e+01')
        """
        places, exponents = self
        if exponents:
            return f"{value:.{places}e}"
        told = f"{value:.{places}f}"
        return told if places or not isfinite(value) else f"{told}."


def _digits(value: float) -> tuple[int, int]:
    """How many of a value's first digits stand behind the point, and its power of 10."""
    mantissa, power = f"{value:.{DIGITS - 1}e}".split("e")
    return len(mantissa.rstrip("0")) - len("0."), int(power)


def _tells_apart(places: int, values: Sequence[float]) -> bool:
    """Whether values have other texts where they have other first digits."""
    told = [f"{value:.{places}f}" for value in values]
    digits = (f"{value:.{DIGITS - 1}e}" for value in values)
    texts = len({*told})
    return texts == len(told) or texts == len({*zip(told, digits, strict=True)})


def told_alike(texts: Iterable[str]) -> dict[str, str]:
    """For each exact text of a float how it is told beside the others. Words stay as they are.

    >>> told_alike(["0.3333333333333333", "12.5", "?"])
    {'0.3333333333333333': '0.33', '12.5': '12.50'}
    """
    values: dict[str, float] = {}
    for text in texts:
        try:
            values[text] = float(text)
        except ValueError:
            continue
    notation = Notation.of(values.values())
    return {text: notation.text(value) for text, value in values.items()}


def in_one_notation(scene: Scene) -> Scene:
    """The scene with its floats told alike: those of each section, or of before and after."""
    sections = scene.sections
    together = [sections] if sections[0].label else [[section] for section in sections]
    return scene._replace(sections=tuple(each for some in together for each in _alike(some)))


def _alike(sections: Sequence[Section]) -> list[Section]:
    """Sections, with all of their floats in one notation."""
    grids = [grid for section in sections for grid in section.grids if grid.floats]
    strips = [strip for section in sections for strip in section.strips if strip.floats]
    texts = {cell.text for grid in grids for cell in grid.cells}
    told = told_alike(texts.union(slot.text for strip in strips for slot in strip.slots))
    return [
        section._replace(
            grids=tuple(
                grid._replace(cells=_retold(grid.cells, told)) if grid.floats else grid
                for grid in section.grids
            ),
            strips=tuple(
                strip._replace(slots=_retold(strip.slots, told)) if strip.floats else strip
                for strip in section.strips
            ),
        )
        for section in sections
    ]


def _retold(items: tuple[T, ...], told: Mapping[str, str]) -> tuple[T, ...]:
    """Cells, or slots, with other texts."""
    columns = dict(zip(items[0]._fields, zip(*items, strict=True), strict=True))
    columns["text"] = tuple(told.get(text, text) for text in columns["text"])
    make: Any = items[0]._make
    # Four times as quick as _replace for each.
    return tuple(map(make, zip(*columns.values(), strict=True)))
