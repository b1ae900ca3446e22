"""The gallery's scenes and texts as files, to be read in review.

    python -m tests.stridekit.diagrams.golden

writes them anew; `make gallery` does so along with the pictures.
"""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

from stridekit.diagrams.scenes.pixel_scene import PixelScene
from stridekit.diagrams.scenes.scene import Break, Cell, Grid, Scene, Slot, Strip
from tests import ROOT

GALLERY = ROOT / "docs" / "gallery"
GOLDEN = Path(__file__).resolve().parent / "golden"


def gallery():
    """docs/gallery/pictures.py, which is no package."""
    spec = importlib.util.spec_from_file_location("pictures", GALLERY / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def scene_text(scene: Scene | PixelScene) -> str:
    """All that a scene says, a thing on each line."""
    lines = _pixel_lines(scene) if isinstance(scene, PixelScene) else _lines(scene)
    return "\n".join(lines) + "\n"


def _pixel_lines(scene: PixelScene) -> Iterator[str]:
    yield f"scene {scene.title!r}"
    for picture in scene.pictures:
        size = f"{picture.rows} x {picture.columns} x {picture.channels}"
        yield f"  picture {picture.name!r}: {size}, pixels {crc32(picture.pixels):08x}"
        for number, line in enumerate(picture.header):
            yield f"    {line}{', unlike the first' if number in picture.emphatic else ''}"
        yield from (f"    hidden {area}" for area in picture.hidden)
        yield from (f"    marked {place}" for place in picture.marked)
    for note in scene.notes:
        yield f"  note {note}"
    yield f"  alt {scene.alt}"


def _lines(scene: Scene) -> Iterator[str]:
    yield f"scene {scene.title!r}"
    for section in scene.sections:
        first = ", strip first" if section.strip_first else ""
        yield f"  section {section.label!r}, stretch {section.stretch}{first}"
        for grid in section.grids:
            yield from _grid_lines(grid)
        for strip in section.strips:
            yield from _strip_lines(strip)
        for hop in section.hops:
            yield f"    hop {hop.start} → {hop.end}: {hop.label} ({hop.kind})"
    for move in scene.moves:
        yield f"  move {move.start} → {move.end}"
    for note in scene.notes:
        yield f"  note {note}"
    yield f"  alt {scene.alt}"


def _grid_lines(grid: Grid) -> Iterator[str]:
    yield f"    grid {grid.name!r}: {grid.header} (unit {grid.unit})"
    for label in grid.dims:
        seam = ", seam" if label.seam else ""
        yield f"      {label.text}: {label.way} {label.level}{seam}"
    for number, block in enumerate(grid.blocks):
        rows = " ".join("⋯" if track.index is None else "|" * track.level + str(track.index)
                        for track in block.rows)  # fmt: skip
        columns = " ".join("⋯" if track.index is None else "|" * track.level + str(track.index)
                           for track in block.columns)  # fmt: skip
        yield f"      block {number} {block.label!r}: rows {rows or '-'}, columns {columns or '-'}"
    for cell in grid.cells:
        yield f"      {_cell_text(cell)}"


def _cell_text(cell: Cell) -> str:
    visit = f", visit {cell.visit}" if cell.visit else ""
    marks = f" [{' '.join(cell.marks)}]" if cell.marks else ""
    return (
        f"cell {cell.block}:{cell.row},{cell.column} index {cell.index} address {cell.address} "
        f"{cell.text!r} fill {cell.group}{visit}{marks}"
    )


def _strip_lines(strip: Strip) -> Iterator[str]:
    facts = f", lines of {strip.line}" if strip.line else ""
    facts += ", in bytes" if strip.in_bytes else ""
    yield f"    strip {strip.title} (unit {strip.unit}{facts})"
    for item in strip.slots:
        if isinstance(item, Break):
            yield f"      break {item.first} + {item.length}"
        else:
            yield f"      {_slot_text(item)}"
    for lane in strip.lanes:
        yield f"      lane {lane.name!r}: {' '.join(map(str, sorted(lane.addresses)))}"


def _slot_text(slot: Slot) -> str:
    badge = f" {slot.badge}" if slot.badge else ""
    visit = f", visit {slot.visit}" if slot.visit else ""
    marks = f" [{' '.join(slot.marks)}]" if slot.marks else ""
    return f"slot {slot.address} {slot.text!r} fill {slot.group}{badge}{visit}{marks}"


def main() -> None:
    """Write the golden files of every picture in the gallery."""
    GOLDEN.mkdir(exist_ok=True)
    for old in GOLDEN.iterdir():
        old.unlink()
    for name, make in gallery().PICTURES.items():
        diagram = make()
        (GOLDEN / f"{name}.scene").write_text(scene_text(diagram.scene), encoding="utf-8")
        (GOLDEN / f"{name}.txt").write_text(diagram.text() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
