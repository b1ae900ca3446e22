"""Where a tensor is a part of another one that is shown: its outline in that one's grid."""

from collections import Counter
from collections.abc import Sequence

from stridekit.diagrams.scenes.memory import Member
from stridekit.diagrams.scenes.scene import Grid, Outline
from stridekit.diagrams.scenes.slots import Reach

# So many frames may lie in one cell.
NESTED_MOST = 2


def outlined(members: Sequence[Member], grids: list[Grid], reach: Reach, most: int) -> list[Grid]:
    """The grids, with the outline of each tensor that is a part of another one.

    It is drawn in the first tensor that it is a part of: one that reaches all that it does, and
    more. So many of the tensors may have outlines, as each has a dash of its own.
    """
    found: dict[int, list[Outline]] = {}
    shown = [frozenset(cell.address for cell in grid.cells) for grid in grids]
    for number, member in enumerate(members[: min(most, len(grids))]):
        part = _outline_in_first(number, member, members, shown, reach)
        if not part:
            continue
        mine = found.setdefault(part[0], [])
        covered = Counter(address for outline in mine for address in outline.addresses)
        # Frame in frame in frame would cover the values; the lanes tell of the others.
        if max((covered[address] for address in part[1]), default=0) < NESTED_MOST:
            mine.append(Outline(member.name, number, part[1]))
    return [
        grid._replace(outlines=tuple(found[number])) if found.get(number) else grid
        for number, grid in enumerate(grids)
    ]


def _outline_in_first(
    number: int,
    member: Member,
    members: Sequence[Member],
    shown: list[frozenset[int]],
    reach: Reach,
) -> tuple[int, frozenset[int]] | None:
    """The first grid that shows a tensor as a part of its own, and which addresses are in it."""
    mine = shown[number]
    if not mine:
        return None
    for other, cells in enumerate(shown):
        if other == number or members[other].unit != member.unit or len(cells) < 2:
            continue
        if mine == cells:
            continue
        if not mine <= cells and not all(map(reach.reaches(other, member.unit), mine)):
            continue
        inside = frozenset(filter(reach.reaches(number, member.unit), cells))
        if inside and inside != cells:
            return other, inside
    return None
