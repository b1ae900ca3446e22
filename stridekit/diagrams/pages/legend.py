"""The legend under a picture: what its fills, and the signs that occur in it, mean."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from stridekit.diagrams.pages import colours
from stridekit.diagrams.pages.cell_styles import STATE, paint_marks
from stridekit.diagrams.pages.colours import FILLS, LANES, look_of
from stridekit.diagrams.pages.page import Font, Page, wrapped
from stridekit.diagrams.scenes.captions import cut, joined
from stridekit.diagrams.scenes.scene import Mark, Marks, Scene, Section
from stridekit.layouts.layout import count

# Of a name so many characters.
NAME_MOST = 28
# How wide a swatch is, and one of several that belong together.
SWATCH, NEXT = 20, 14
SIGN, WORDS = Font(11, "middle", bold=True), Font(11, ink=colours.MUTED)


class LegendEntry(NamedTuple):
    """A swatch, drawn as a cell of a group in some state, and the words beside it.

    With a `sign` the swatch is that text, on a dark pill for a switch; with an `outline` it is a
    frame in the dash of that lane. `others` are the groups of more swatches beside the first, for
    words that are about all fills. `letter` is the same state in the text form, where fills are not
    seen.
    """

    words: str
    letter: str
    group: int | None = 0
    marks: Marks = ()
    sign: str = ""
    outline: int | None = None
    others: tuple[int, ...] = ()


_WORDS: dict[Mark, tuple[str, str]] = {
    "selected": ("selected", "<n>"),
    "needed": ("needed here: where the step would have to lead", "n^"),
    "written": ("changed", "n*"),
    "ghost": ("the same memory once more", "(n)"),
    "unwritten": ("not initialised", "?"),
    "outside": ("outside of the storage, so never read", "×"),
}
# A swatch that a mark alone would not show.
_SHOWN: dict[Mark, Marks] = {"needed": ("needed", "outside")}


def entries_of(scene: Scene) -> list[LegendEntry]:
    """The entries for what occurs in a scene, always in the same order."""
    grids = [grid for section in scene.sections for grid in section.grids]
    slots_of = [
        [slot for strip in section.strips for slot in strip.slots] for section in scene.sections
    ]
    looks_of = [{*map(STATE, slots)} for slots in slots_of]
    unreached = any((None, ()) in looks for looks in looks_of)
    marked: dict[Mark, int | None] = {}
    looks = {STATE(cell) for grid in grids for cell in grid.cells}.union(*looks_of)
    for group, marks in sorted(looks, key=lambda look: -1 if look[0] is None else look[0]):
        for mark in marks:
            if mark != "outside" or "needed" not in marks:
                marked.setdefault(mark, group)
    groups_of = [{group for group, _ in looks if group is not None} for looks in looks_of]
    groups = {group for group, _ in looks if group is not None}
    entries = []
    if len(groups) > 1:
        # Beside all fills that there are: beside one it would be read as about that.
        first, *others = sorted({group % len(FILLS) for group in groups})
        said = _fills_words(scene.sections, groups_of, unreached=unreached)
        if len(others) + 1 < len(groups):
            said[-1] += f"; the colours come round again after {len(FILLS)}"
        entries = [LegendEntry(words, "", first, others=(*others,)) for words in said]
    entries += [
        LegendEntry(*words, marked[mark], _SHOWN.get(mark, (mark,)))
        for mark, words in _WORDS.items()
        if mark in marked
    ]
    entries += dict.fromkeys(
        LegendEntry(
            f"{cut(outline.name, NAME_MOST)}, a part of {cut(grid.name, NAME_MOST)}",
            "",
            outline=outline.lane,
        )
        for grid in grids
        for outline in grid.outlines
    )
    if badges := {slot.badge for slots in slots_of for slot in slots if slot.badge}:
        sign = max(sorted(badges), key=len)
        entries.append(LegendEntry("how many indices of one tensor share a slot", "×2", sign=sign))
    if any(grid.cells and grid.cells[0].visit for grid in grids):
        entries.append(LegendEntry("the small numbers: order of the visits", "n:", sign="7"))
    if "switch" in marked:
        words = "a visit to a different cache line from the one before"
        entries.append(LegendEntry(words, "n!", marks=("switch",), sign="7"))
    if unreached:
        entries.append(LegendEntry("no index leads there", "[n]", group=None))
    return entries


def _stretch_words(section: Section, *, unreached: bool) -> str:
    """How many neighbours have one fill."""
    n, period, first = section.stretch or 0, section.period, section.strips[0]
    unit = first.unit
    # Where a strip is one of bytes, its slots have no other name.
    split = len(section.strips) > 1 or (unit == 1 and first.in_bytes)
    things = n * unit if split else n
    noun = "byte" if split else "slot"
    words = f"each colour: {count(things, noun, f'neighbouring {noun}s')}"
    if n > 1 and unreached:
        words += ", reached or not"
    if period:
        words += (
            f", the same again every {count(period * unit, 'byte') if split else f'{period:,}'}"
        )
    return words


def _length(section: Section) -> int:
    """How many slots the strip shows or leaves out, from the first to the last."""
    slots = section.strips[0].slots
    return slots[-1].address - slots[0].address + 1 if slots else 0


def _fills_words(
    sections: Sequence[Section], groups_of: Sequence[set[int]], *, unreached: bool
) -> list[str]:
    """What a fill means, from the groups in each section."""
    pairs = [*zip(sections, groups_of, strict=True)]
    filled = [section for section, mine in pairs if len(mine) > 1] or [*sections]
    # One fill alone says nothing, unless it goes on past where the others change theirs.
    longest = max(0 if each.fill_words else each.stretch or 0 for each in filled)
    filled += [each for each, mine in pairs if len(mine) == 1 and 0 < longest < _length(each)]
    # What an element brought along says where it came from, too, unless there is more beside.
    ours = {section.storage for section in filled if section.stretch is not None}
    told = {each.fill_words for each in filled if each.stretch is not None or len(ours) > 1}
    stretches = {(section.stretch, section.period) for section in filled}
    if len(told) > 1:
        # Each storage has fills of its own kind.
        kinds: dict[str, list[str]] = {}
        for section in filled:
            words = section.fill_words or _stretch_words(section, unreached=unreached)
            kinds.setdefault(words, []).append(section.storage)
        said = [f"{words}, in storage {joined(dict.fromkeys(of))}" for words, of in kinds.items()]
    elif any(section.fill_words for section in filled):
        said = [next(section.fill_words for section in filled if section.fill_words)]
    elif len(stretches) > 1:
        said = ["each colour: neighbouring slots, in each storage for itself"]
    else:
        said = [_stretch_words(filled[0], unreached=unreached)]
    return said


def paint_legend(page: Page, entries: Sequence[LegendEntry], left: int, top: int) -> int:
    """What the signs in the picture mean, in a line or several; gives where it ends."""
    x, room = float(left), page.room_for_words(left)
    for entry in entries:
        each = NEXT if entry.others else SWATCH
        swatch = each * (1 + len(entry.others))
        if entry.sign:
            swatch = max(SWATCH, ceil(SIGN.width(entry.sign)) + 4)
        words = wrapped(entry.words, WORDS, room - swatch - 8)
        width = swatch + 8 + max(WORDS.width(line) for line in words)
        if x > left and x + width > room:
            x, top = left, top + 20
        box = (x, top, swatch, 14.0)
        if entry.sign:
            dark = "switch" in entry.marks
            if dark:
                page.over[colours.PILL].append(box)
            font = SIGN._replace(ink=colours.CARD if dark else colours.INK)
            fill = colours.PILL.fill if dark else ""
            page.write(font, x + swatch / 2, top + 7, entry.sign, fill)
        elif entry.outline is not None:
            page.over[LANES[entry.outline % len(LANES)]].append(box)
        else:
            for number, group in enumerate((entry.group, *entry.others)):
                box = (x + number * each, top, each, 14.0)
                page.boxes[look_of(group, entry.marks)].append(box)
                paint_marks(page, entry.marks, box, 9)
        for number, line in enumerate(words):
            page.write(WORDS, x + swatch + 8, top + 7 + 16 * number, line)
        x, top = x + width + 22, top + 16 * (len(words) - 1)
    return top + 14
