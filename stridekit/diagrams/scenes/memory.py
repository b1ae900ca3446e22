"""The memory under a section: whose storages meet.

Here everything counts in bytes from the start of the section's memory.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from stridekit.tensors.interop import Subject


class SectionMember(NamedTuple):
    """A tensor in a section: its name, and where its storage begins there."""

    name: str
    subject: Subject
    shift: int

    @property
    def unit(self) -> int:
        """What its positions count: elements of so many bytes, or bytes."""
        return self.subject.itemsize

    @property
    def end(self) -> int:
        """Where its storage ends."""
        return self.byte(self.subject.storage_length)

    def byte(self, position: int) -> int:
        """Where a position of its storage begins."""
        return self.shift + position * self.subject.itemsize


def by_storage(named: Sequence[tuple[str, Subject]]) -> list[list[SectionMember]]:
    """The tensors grouped by memory, in their order: those whose storages meet stand together.

    One that begins in the middle of another's element stays apart: no slots would fit both.
    """
    groups: list[list[int]] = []
    storages: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, (_, x) in enumerate(named):
        storages[x.storage_address, x.storage_length * x.itemsize].append(number)
    for joined in storages.values():
        subject = named[joined[0]][1]
        for group in [*groups]:
            together = [*group, *joined]
            if any(_meet(subject, named[other][1]) for other in group) and all(
                member.shift % member.unit == 0 for member in _members(named, together)
            ):
                joined = together
                groups.remove(group)
        groups.append(sorted(joined))
    return [_members(named, group) for group in sorted(groups)]


def _members(named: Sequence[tuple[str, Subject]], numbers: list[int]) -> list[SectionMember]:
    """Some of the tensors, over one memory, which begins where the first storage does."""
    mine = [named[number] for number in numbers]
    start = min(subject.storage_address for _, subject in mine)
    return [SectionMember(name, subject, subject.storage_address - start) for name, subject in mine]


def _meet(a: Subject, b: Subject) -> bool:
    ends = (each.storage_address + each.storage_length * each.itemsize for each in (a, b))
    return max(a.storage_address, b.storage_address) < min(ends)
