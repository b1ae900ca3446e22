"""The memory under a section: whose storages meet, and what of another device's is fetched.

Here everything counts in bytes from the start of the section's memory.

Of another device's memory a picture is first rehearsed, with words in place of values, and whoever
reads is written down. Then all of it comes over in one transfer, and the picture is made of that.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from stridekit.tensors.interop import Subject, Value, fetch


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
    for number, (_, subject) in enumerate(named):
        joined = [number]
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
    if a.storage_length == b.storage_length == 0:
        return a.storage_address == b.storage_address
    ends = (each.storage_address + each.storage_length * each.itemsize for each in (a, b))
    return max(a.storage_address, b.storage_address) < min(ends)


# What a picture shows of another device's memory, fetched at once.


Subjects = list[tuple[str, Subject]]

# A grid has fewer columns where texts are wide, and which elements it shows depends on that. Each
# is a text of another width.
WIDTHS = (1, *range(3, 20))


def fetched(named: Subjects, make: Callable[[Subjects], object]) -> Subjects:
    """The tensors, with all that `make` reads of other devices' memory brought over already.

    `make` is called to see what it reads; what it gives then is thrown away. Tensors on this
    machine are left as they are, and cost nothing.
    """
    distant = {each.storage_address: each for _, each in named if each.distant}
    if not distant:
        return named
    wanted: dict[int, set[int]] = {address: set() for address in distant}
    for width in WIDTHS:
        make([(name, _rehearsing(subject, wanted, width)) for name, subject in named])
        if all(len(wanted[at]) == x.storage_length * x.itemsize for at, x in distant.items()):
            break
    memories = {at: subject.distant for at, subject in distant.items() if subject.distant}
    fetch((memory, wanted[address]) for address, memory in memories.items())
    for _, subject in named:
        if subject.distant:
            subject.distant.known = memories[subject.storage_address].known
    return [(name, replace(subject, distant=None)) for name, subject in named]


def _rehearsing(subject: Subject, wanted: dict[int, set[int]], width: int) -> Subject:
    """The subject, over memory that writes down what is read."""
    if subject.distant is None:
        return subject
    places_of, text = wanted[subject.storage_address], "0" * width

    def bytes_at(places: Sequence[int], length: int) -> bytes:
        places_of.update(place + i for place in places for i in range(length))
        return bytes(len(places) * length)

    def decode(raw: bytes) -> list[Value]:
        return [text] * (len(raw) // subject.element_size)

    return replace(subject, bytes_at=bytes_at, decode=decode, says=None)
