"""A scene as text: for terminals, screen readers and tests."""

from collections.abc import Iterator, Mapping
from itertools import compress
from textwrap import wrap

from stridekit.diagrams.pages.legend import entries_of
from stridekit.diagrams.scenes.scene import LEFT_OUT, Grid, Marks, Scene, Section, Slot, Strip
from stridekit.layouts.layout import Ints

# The rows of a strip wrap together, at so many slots.
PER_ROW = 16
WIDTH = 100
# What may be told of the slots of a strip.
FACTS = ("position", "byte", "value", "shared", "visit", "line")


def to_text(scene: Scene) -> str:
    """The scene as lines of text."""
    ways = [f"{move.start} → {move.end}" for move in scene.moves]
    entries = (f"{each.letter} {each.words}" for each in entries_of(scene) if each.letter)
    parts = (
        [scene.title],
        *(part for section in scene.sections for part in _section_parts(section)),
        _listed("moves", ways),
        scene.notes,
        ["  ".join(entries)],
    )
    return "\n\n".join(filter(None, map("\n".join, parts)))


def _section_parts(section: Section) -> Iterator[list[str]]:
    label = [*filter(None, (section.label, section.told))]
    shown = "value" if section.values else "slot"
    strips = [_strip_lines(strip, shown) for strip in section.strips]
    hops = [f"{hop.start} → {hop.end} ({hop.label})" for hop in section.hops]
    strips[0] += _listed("hops", hops)
    if section.strip_first:
        yield [*label, *strips[0]]
        yield from strips[1:]
    elif label:
        yield label
    for grid in section.grids:
        header = [f"{grid.name} · {grid.header}" if grid.name else grid.header]
        if leads := [label.text for label in grid.dims if label.way == "lead"]:
            header.append(f"a block for each index of {', '.join(leads)}")
        yield [*header, "", *_grid_lines(grid)]
    if section.more_grids:
        yield [f"+{section.more_grids} more on this storage"]
    if not section.strip_first:
        yield from strips


def _grid_lines(grid: Grid) -> list[str]:
    if not grid.cells:
        return ["  (0 elements)"]
    texts = [marked(cell.text, cell.marks) for cell in grid.cells]
    if any(cell.visit for cell in grid.cells):
        texts = [
            f"{cell.visit}{'!' if 'switch' in cell.marks else ''}: {text}"
            for cell, text in zip(grid.cells, texts, strict=True)
        ]
    width = max(map(len, texts))
    places: list[Ints] = [cell[:3] for cell in grid.cells]
    told = {place: text.rjust(width) for place, text in zip(places, texts, strict=True)}
    lines: list[str] = []
    for number, label in enumerate(grid.blocks):
        if number:
            lines.append("")
        if label:
            lines.append(label)
        if label != LEFT_OUT:
            lines += _block_lines(grid, number, told, width)
    return lines


def _block_lines(grid: Grid, block: int, texts: Mapping[Ints, str], width: int) -> list[str]:
    """The cells of a block, with the dims across above and the dims down beside the first."""
    labels = [(label.way, label.text + " (seam)" * label.seam) for label in grid.dims]
    across, down = ([text for mine, text in labels if mine == way] for way in ("across", "down"))
    margin = max(map(len, down), default=0)
    lines = [] if block else [f"{'':{margin}}   {text}" for text in across]
    beside = [] if block else down
    middle = max((len(grid.rows) - len(beside)) // 2, 0)
    for row, track in enumerate(grid.rows):
        lines += [f"{'':{margin}} │"] * track.level
        cells_in_row = "".join(
            ("  " + "   " * other.level if column else "")
            + texts.get((block, row, column), LEFT_OUT.rjust(width))
            for column, other in enumerate(grid.columns)
        )
        at = row - middle
        label = beside[at] if 0 <= at < len(beside) else ""
        lines.append(f"{label:{margin}} │ {cells_in_row}")
    return lines


def marked(text: str, marks: Marks) -> str:
    """A cell's text with its states as signs around it.

    >>> marked("7", ("ghost",)), marked("7", ("selected", "written"))
    ('(7)', '<7*>')
    """
    if "written" in marks:
        text = f"{text}*"
    if "ghost" in marks:
        text = f"({text})"
    if "needed" in marks:
        text = f"{text}^"
    if "selected" in marks:
        text = f"<{text}>"
    return text


def _strip_lines(strip: Strip, shown: str) -> list[str]:
    """A strip, `shown` being the name of what stands in its slots."""
    facts = tuple(shown if name == "value" else name for name in FACTS)
    columns = {slot.address: _facts(strip, slot) for slot in strip.slots}
    # Where no slot is shown, a value still says how many are left out.
    told = [any(texts) for texts in zip(*columns.values(), strict=True)] or [
        name == "value" for name in FACTS
    ]
    for first, length in strip.breaks:
        columns[first] = ["⋯"] * len(told)
        columns[first][FACTS.index("value")] = f"⋯ {length:,} more ⋯"
    in_order = [[*compress(columns[address], told)] for address in sorted(columns)]
    names = [*compress((*facts, *(lane.name for lane in strip.lanes)), told)]
    margin = max(map(len, names), default=0) + 1
    lines = [strip.title]
    for start in range(0, len(in_order), PER_ROW):
        row = in_order[start : start + PER_ROW]
        widths = [max(map(len, column)) for column in row]
        for name, texts in zip(names, zip(*row, strict=True), strict=True):
            cells = (text.rjust(width) for text, width in zip(texts, widths, strict=True))
            lines.append(f"{name:{margin}}{'  '.join(cells)}".rstrip())
    if strip.more_lanes:
        lines.append(f"+{strip.more_lanes} more")
    if not columns:
        lines.append("(no memory)")
    return lines


def _facts(strip: Strip, slot: Slot) -> list[str]:
    """What is told of one slot, and by which lanes it is reached; empty what is not told."""
    # A position that no tensor reaches stands in brackets: no colour needed.
    reached = slot.group is not None or slot.marks
    return [
        str(slot.address),
        str(slot.address * strip.unit) if strip.in_bytes and strip.unit > 1 else "",
        marked(slot.text, slot.marks) if reached else f"[{slot.text}]",
        slot.badge,
        slot.visit + ("!" if "switch" in slot.marks else ""),
        str(slot.address // strip.line) if strip.line else "",
        *("■" if slot.address in lane.addresses else "·" for lane in strip.lanes),
    ]


def _listed(name: str, words: list[str]) -> list[str]:
    """Words in lines of a bearable length, none of them in two; no line where there are none."""
    whole = ", ".join(words).replace(" ", "\xa0").replace(",\xa0", ", ")
    lines = wrap(whole, WIDTH, initial_indent=f"{name:9}", subsequent_indent=" " * 9)
    return [line.replace("\xa0", " ") for line in lines]
