"""The memory under a section: whose storages meet, and stand in one section together.

Here everything counts in bytes from the start of the section's memory.
"""

from collections.abc import Sequence
from typing import NamedTuple

from stridekit.tensors.interop import Subject


class Member(NamedTuple):
    """A tensor in a section: its name, and where its storage begins there."""

    name: str
    subject: Subject
    shift: int

    @property
    def unit(self) -> int:
        """What its positions count: elements of so many bytes, or bytes."""
        return self.subject.itemsize

    @property
    def span(self) -> int:
        """How many units an element takes: more than one where it lies at any byte."""
        return self.subject.span

    @property
    def in_bytes(self) -> bool:
        """Whether its slots are bytes, because no others would fit its elements."""
        return self.subject.in_bytes

    @property
    def end(self) -> int:
        """Where its storage ends."""
        return self.byte(self.subject.storage_length)

    def byte(self, position: int) -> int:
        """Where a position of its storage begins."""
        return self.shift + position * self.subject.itemsize


def by_storage(named: Sequence[tuple[str, Subject]]) -> list[list[Member]]:
    """The tensors grouped by memory, in their order: those whose storages meet stand together.

    One that begins in the middle of another's element stays apart: no slots would fit both.
    """
    groups: list[list[int]] = []
    subjects = [subject for _, subject in named]
    for number, subject in enumerate(subjects):
        joined = [number]
        for group in [*groups]:
            together = [*group, *joined]
            if any(_meet(subject, subjects[other]) for other in group) and _aligned(
                [subjects[other] for other in together]
            ):
                joined = together
                groups.remove(group)
        groups.append(sorted(joined))
    sections = []
    for group in sorted(groups):
        start = _start([subjects[number] for number in group])
        sections.append(
            [
                Member(name, subject, subject.storage_address - start)
                for name, subject in (named[number] for number in group)
            ]
        )
    return sections


def meets(a: Member, b: Member) -> bool:
    """Whether the storages of two tensors have a byte in common."""
    return _meet(a.subject, b.subject)


def _meet(a: Subject, b: Subject) -> bool:
    if a.storage_length == b.storage_length == 0:
        return a.storage_address == b.storage_address
    return max(a.storage_address, b.storage_address) < min(_end(a), _end(b))


def _end(subject: Subject) -> int:
    return subject.storage_address + subject.storage_length * subject.itemsize


def _start(subjects: list[Subject]) -> int:
    return min(subject.storage_address for subject in subjects)


def _aligned(subjects: list[Subject]) -> bool:
    start = _start(subjects)
    return all((subject.storage_address - start) % subject.itemsize == 0 for subject in subjects)
