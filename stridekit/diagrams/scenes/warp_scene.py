"""What one request of a warp touches: its threads, and the sectors that come, wanted or not."""

from typing import NamedTuple

from stridekit.diagrams.scenes.captions import count, header_text
from stridekit.diagrams.scenes.scene import (
    Block,
    Break,
    Cell,
    DimLabel,
    Grid,
    Scene,
    Section,
    Slot,
    Strip,
    Track,
)
from stridekit.errors import IndexRangeError
from stridekit.layouts.layout import Layout
from stridekit.layouts.warps import LINE, SECTOR, in_thread_order, warp_sectors
from stridekit.tensors.interop import Subject


class WarpOptions(NamedTuple):
    """The dim along which threads are neighbours, which request is drawn, of how many threads."""

    along: int
    request: int
    threads: int


def compose_warp(name: str, subject: Subject, title: str, asked: WarpOptions) -> Scene:
    """The scene: a grid of the threads, and a strip of the sectors that they touch.

    A fill is a sector; slots that no thread wants have none. Nothing is read. Raises
    IndexRangeError for a request that is not there.
    """
    layout, unit = subject.layout, subject.element_size
    places = layout.size, layout.stride, unit, layout.storage_offset
    whole = warp_sectors(*places, along=asked.along, threads=asked.threads)
    if not 0 <= asked.request < whole.requests:
        last = f", 0 to {whole.requests - 1:,}" if whole.requests else ""
        raise IndexRangeError(
            f"draw_warp: there is no request {asked.request}. "
            f"{count(layout.numel, 'element')} take {count(whole.requests, 'request')}{last}."
        )
    positions = _positions(in_thread_order("draw_warp", layout, asked.along), asked)
    strip, group = _strip(positions, unit)
    per_sector = SECTOR // unit
    cells = tuple(
        Cell(0, 0, thread, (thread,), position, str(thread), group[position // per_sector])
        for thread, position in enumerate(positions)
    )
    told = (
        f"{count(len(cells), 'thread')}, neighbours along dim {asked.along}",
        f"request {asked.request:,} of {whole.requests:,}",
    )
    dim = DimLabel(0, len(cells), 0, "across", 0, told, "thread", False)
    row = Block("", (Track((), 0),), tuple(Track((cell.column,), 0) for cell in cells))
    grid = Grid("thread", header_text(subject), unit, (row,), cells, (dim,))
    notes = [
        _cost(
            "The threads want",
            unit * len({*positions}),
            len(group),
            len({sector * SECTOR // LINE for sector in group}),
        )
    ]
    if whole.requests > 1:
        together = f"Together, the {whole.requests:,} requests want"
        notes.append(_cost(together, whole.wanted, whole.sectors, whole.lines))
    alt = " ".join((f"{name or 'Tensor'}: {grid.header}. {', '.join(told)}.", *notes))
    section = Section(name, (grid,), (strip,))
    return Scene(title, (section,), (), tuple(notes), alt, values=False)


def _positions(layout: Layout, asked: WarpOptions) -> list[int]:
    """The position that each thread of the request reads."""
    indices, first = Layout.of(layout.size), asked.request * asked.threads
    found = map(indices.index_at, range(first, min(first + asked.threads, layout.numel)))
    return [layout.position(index) for index in found if index is not None]


def _strip(positions: list[int], unit: int) -> tuple[Strip, dict[int, int]]:
    """The slots of all sectors that come, and the fill of each sector.

    A slot says which thread wants it, the first one where several do.
    """
    per_sector = SECTOR // unit
    group = {
        sector: number
        for number, sector in enumerate(sorted({position // per_sector for position in positions}))
    }
    threads = {position: thread for thread, position in reversed([*enumerate(positions)])}
    slots: list[Slot | Break] = []
    end = 0
    for sector, number in group.items():
        start = sector * per_sector
        if slots and start > end:
            slots.append(Break(end, start - end))
        end = start + per_sector
        slots += [
            Slot(address, str(threads[address]), number)
            if address in threads
            else Slot(address, "", None)
            for address in range(start, end)
        ]
    return Strip("", f"sectors of {SECTOR} bytes", unit, tuple(slots), line=per_sector), group


def _cost(who_wants: str, wanted: int, sectors: int, lines: int) -> str:
    """What is wanted, what comes for it, and which part of that is of use.

    >>> _cost("The threads want", 128, 32, 32)
    'The threads want 128 bytes. 32 sectors come, 1,024 bytes in 32 lines: 12.5% is wanted.'
    """
    fetched = SECTOR * sectors
    share = "all of it" if wanted == fetched else f"{100 * wanted / fetched:.3g}%"
    return (
        f"{who_wants} {count(wanted, 'byte')}. {count(sectors, 'sector')} "
        f"{'comes' if sectors == 1 else 'come'}, {fetched:,} bytes in {count(lines, 'line')}: "
        f"{share} is wanted."
    )
