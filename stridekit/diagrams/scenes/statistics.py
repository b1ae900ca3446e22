"""What a tensor's elements are together: a line of words, and a map of the means of its blocks.

Only this reads all elements: by the tensor's own library, or else one after another.
"""

from cmath import isfinite, isnan
from collections.abc import Iterator, Sequence
from itertools import islice

from stridekit.diagrams.scenes.elision import CELLS
from stridekit.diagrams.scenes.scene import Heatmap, Scene
from stridekit.layouts.dims import slice_dim
from stridekit.layouts.layout import Layout
from stridekit.tensors.dtypes import Number
from stridekit.tensors.interop import Subject
from stridekit.tensors.interop.measures import Measured, cuts_of, together

# So many elements are read at once where no library measures them.
CHUNK = 4096
# So many tensors have a line.
LINES_MOST = 8

Blocks = list[list[Measured]]


def with_statistics(scene: Scene, named: Sequence[tuple[str, Subject]]) -> Scene:
    """The scene with a line about the elements of each tensor, and a map of each large one."""
    lines: list[str] = []
    maps: dict[str, Heatmap | None] = {}
    for name, subject in named[:LINES_MOST]:
        blocks = _blocks_of(subject)
        line = _line(subject, blocks)
        lines.append(f"{name}: {line}" if name else f"{line[0].upper()}{line[1:]}")
        if subject.layout.numel > CELLS and blocks and "complex" not in subject.dtype:
            maps[name] = _map_of(name, blocks)
    if len(named) > LINES_MOST:
        lines.append(f"{len(named) - LINES_MOST} more tensors are not measured.")
    sections = tuple(
        section._replace(
            grids=tuple(grid._replace(heatmap=maps.get(grid.name)) for grid in section.grids)
        )
        for section in scene.sections
    )
    drawn = [grid.heatmap for section in sections for grid in section.grids if grid.heatmap]
    notes = (*lines, *(each.words for each in drawn))
    return scene._replace(sections=sections).noted(*notes, last=True)


def _line(subject: Subject, blocks: Blocks) -> str:
    """What the elements are together, in a sentence or two."""
    if not subject.readable:
        return "without memory there are no statistics."
    if not subject.layout.numel:
        return "without elements there are no statistics."
    found = together(block for row in blocks for block in row)
    if not found.known + found.nan + found.infinite:
        return f"elements of {subject.dtype} are not numbers, so there are no statistics."
    # Elements that are repeated have been measured once.
    times = subject.layout.numel // subject.layout.each_once.numel
    read = found.known + found.nan + found.infinite
    counts = {"NaN": found.nan, "infinite": found.infinite}
    counts["not initialised"] = subject.layout.numel / times - read
    others = [f"{int(n * times):,} {what}" for what, n in counts.items() if n]
    left_out = f" Not counted: {', '.join(others)}." if others else ""
    if not found.known:
        return f"no element is finite.{left_out}"
    if subject.dtype == "bool":
        true = round(found.mean.real * found.known) * times
        return f"True in {found.mean.real:.4g} of all, {true:,} of {int(read * times):,}.{left_out}"
    if "complex" in subject.dtype:
        mean = f"mean {found.mean.real:.4g}{found.mean.imag:+.4g}j"
        return f"{mean}, standard deviation {found.deviation:.4g}.{left_out}"
    is_whole = "int" in subject.dtype and not subject.says
    # They came as floats, which have all digits of whole numbers up to 2 ** 53.
    least, greatest = (
        f"{value:,.0f}" if is_whole and abs(value) <= 2**53 else f"{value:.4g}"
        for value in (found.least, found.greatest)
    )
    return (
        f"mean {found.mean.real:.4g}, standard deviation {found.deviation:.4g}, "
        f"smallest {least}, largest {greatest}.{left_out}"
    )


def _map_of(name: str, blocks: Blocks) -> Heatmap | None:
    """The map of a tensor's blocks, if they make one."""
    rows, columns = len(blocks), len(blocks[0])
    # The sum of very large numbers is no mean.
    told = tuple(
        tuple(block.mean.real if block.known and isfinite(block.mean) else None for block in row)
        for row in blocks
    )
    means = [mean for row in told for mean in row if mean is not None]
    if min(rows, columns) < 2 or not means:
        return None
    low, high = f"{min(means):.4g}", f"{max(means):.4g}"
    words = (
        f"Map{f' of {name}' if name else ''}: the last two dims in {rows} × {columns} blocks, the "
        f"mean of each, from {low} to {high}."
    )
    if len(means) < rows * columns:
        words += " What is hatched has no finite element."
    return Heatmap(name, told, low, high, words)


def _blocks_of(subject: Subject) -> Blocks:
    """The blocks of a tensor, measured; none of what has no numbers."""
    if not subject.readable or not subject.layout.numel:
        return []
    if subject.blocks:
        return subject.blocks()
    layout = subject.layout.each_once
    whole = Layout((1, 1, *layout.size), (0, 0, *layout.stride), layout.storage_offset)
    found: Blocks = []
    for row in cuts_of(whole.size):
        found.append([])
        for rows, columns in row:
            part = slice_dim(slice_dim(whole, -2, rows), -1, columns)
            found[-1].append(together(map(_measured, _numbers(subject, part))))
    return found


def _numbers(subject: Subject, layout: Layout) -> Iterator[list[Number]]:
    """The numbers that a tensor says at the positions of a layout, some at a time."""
    positions = layout.positions()
    while chunk := [*islice(positions, CHUNK)]:
        unwritten = subject.unwritten(chunk)
        chunk = [position for position in chunk if position not in unwritten]
        values = subject.read(chunk)
        values = subject.says(chunk, values) if subject.says else values
        yield [value for value in values if not isinstance(value, str)]


def _measured(values: Sequence[Number]) -> Measured:
    known = [value for value in values if isfinite(value)]
    nans = sum(map(isnan, values))
    if not known:
        return Measured(0, nans, len(values) - nans)
    mean = complex(sum(known)) / len(known)
    real = [complex(value).real for value in known]
    return Measured(
        len(known),
        nans,
        len(values) - len(known) - nans,
        mean,
        sum(abs(value - mean) * abs(value - mean) for value in known),
        min(real),
        max(real),
    )
