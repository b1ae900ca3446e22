"""What a learner's process and all that it has started take; and how they are ended."""

import contextlib
import os
import re
import signal
import socket
import time
from collections import Counter
from functools import cache
from io import FileIO
from typing import NamedTuple

_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
# What a pipe may hold at most, and what is not to be seen.
_PIPE, _UNSEEN = 64 * 1024, 1024**3
# So many datagrams wait in a socket of a new namespace, and one more.
_QUEUE = 11
# How many seconds all who are about to end have together, and how many pass until another look.
_PATIENCE, _MOMENT = 0.5, 0.02
# A line of /proc about such memory: from where to where it is, and what it is part of.
_SHARED = re.compile(rb"^(\w+)-(\w+) ...s \w+ (\S+ \d+) +/(?:dev/zero|SYSV)", re.MULTILINE)
# So often is looked for those that are to be killed.
_ROUNDS = 500


class _Process(NamedTuple):
    """What /proc tells of one: when it began, in ticks, and seconds of its own and of children."""

    number: int
    began: int
    seconds: float
    of_children: float
    threads: dict[str, str]
    """Where /proc tells of each that lives, and its state. Each may have open files of its own, and
    the first may have ended before the others, with all that is told of it."""

    @property
    def itself(self) -> tuple[int, int]:
        """What no other has, also when its number is another's."""
        return self.number, self.began


def _read(path: str) -> bytes:
    """What is in a file of /proc; a `Path` takes three times as long, and this is read often."""
    with FileIO(path) as file:
        return file.readall()


def _bytes_told(path: str, name: bytes) -> int | None:
    """What stands in a line of a file of /proc with this name, which is not the first."""
    told = _read(path).partition(b"\n" + name + b":")[2].split(None, 1)
    return int(told[0]) * 1024 if told else None


def _stat(place: str) -> list[bytes]:
    """What is told of a process or of a thread, after its name; nothing once it has ended."""
    with contextlib.suppress(OSError):
        return _read(f"{place}/stat").rpartition(b")")[2].split()
    return []


def _process(number: int, stat: list[bytes]) -> _Process:
    own, of_children = ((int(stat[at]) + int(stat[at + 1])) / _TICKS for at in (11, 13))
    return _Process(number, int(stat[19]), own, of_children, _threads(number))


def _threads(number: int) -> dict[str, str]:
    folder, found = f"/proc/{number}/task", {}
    # Any may have ended by now.
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):  # noqa: PTH208 - a `Path` takes three times as long
            stat = _stat(f"{folder}/{name}")
            if stat and stat[0] not in b"ZX":
                found[f"{folder}/{name}"] = stat[0].decode()
    return found


class Processes:
    """A process, and all that descend from it.

    Seconds are counted twice, and the larger number counts. What a process has waited for, Linux
    adds to its own. Of those that nobody waits for it forgets what they took: so every look also
    adds what each has taken since the last one, and takes one that it sees for the first time for
    one of many that came and went.

    Memory is what is mapped and nobody else's, with a part of what is shared, and what is held
    without being mapped: by open files that have no name, by sockets and pipes.
    """

    def __init__(self, first: int, files: str | None = None, *, is_apart: bool) -> None:
        """`is_apart` says that the first is that of a namespace, in which all others are.

        `files` is a folder whose files count too, where nothing else limits them. The first was
        forked from what all others are forked from, and does nothing: its memory does not count.
        """
        self._first, self._files, self._is_apart = first, files, is_apart
        self._looked = time.monotonic()
        self._known: dict[tuple[int, int], float] = {}
        self._estimated = 0.0

    def look(self, most: int) -> tuple[float, int, int, set[str]]:
        """What they take together: seconds; bytes, closely only where they may be above `most`.

        Then how many live beside the first, and the states of all their threads, as /proc writes
        them: R computes or would if it could, D waits.
        """
        those = self._below()
        exact = sum(each.seconds + each.of_children for each in those)
        known, now = self._known, time.monotonic()
        passed, self._looked = now - self._looked, now
        since_start = time.clock_gettime(time.CLOCK_BOOTTIME)
        for each in those:
            before = known.get(each.itself)
            if before is None:
                age = max(since_start - each.began / _TICKS, 1 / _TICKS)
                gained = max(each.seconds, passed * min(1.0, each.seconds / age))
            else:
                gained = each.seconds - before
            self._estimated += gained
        self._known = {each.itself: each.seconds for each in those}
        others = [each for each in those if each.number != self._first]
        living = sum(bool(each.threads) for each in others)
        states = {state for each in those for state in each.threads.values()}
        return max(exact, self._estimated), self._memory(others, most), living, states

    def kill(self) -> None:
        """Kill them all."""
        killed: set[tuple[int, int]] = set()
        # With the first process of a namespace all others end; else it goes last, and who is
        # another one whenever somebody looks is given up.
        for _ in range(0 if self._is_apart else _ROUNDS):
            # Who was killed does nothing more, however long the end takes.
            those = {each.itself for each in self._below() if each.number != self._first}
            doomed = those - killed
            if not doomed:
                break
            killed |= doomed
            for number, _ in doomed:
                with contextlib.suppress(OSError):
                    os.kill(number, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.kill(self._first, signal.SIGKILL)

    def _below(self) -> list[_Process]:
        numbers = filter(str.isdecimal, os.listdir("/proc"))  # noqa: PTH208 - read often, too
        told = {int(number): _stat(f"/proc/{number}") for number in numbers}
        stats = {number: stat for number, stat in told.items() if stat}
        found = {self._first} & {*stats}
        while more := {n for n, stat in stats.items() if int(stat[1]) in found} - found:
            found |= more
        return [_process(number, stats[number]) for number in found]

    def _memory(self, those: list[_Process], most: int) -> int:
        until = time.monotonic() + _PATIENCE
        held = _shared_by(those) + _held_by(those, until)
        if self._is_apart:
            held += _queued_in(self._first)
        if self._files is not None:
            held += _files_in(self._files)
        whole = held + sum(_memory_of(each, until) for each in those)
        if whole <= most:
            return whole
        return held + sum(_memory_of(each, until, in_parts=True) for each in those)


def _memory_of(process: _Process, until: float, *, in_parts: bool = False) -> int:
    """Bytes of its memory, and of what tells where its pages lie.

    In parts, what several have in common counts once for all of them; to find that takes a hundred
    times as long. Of what was there at first its part is small: servers, guards and referees have
    it in common. To tell where one page lies takes two, where pages lie far apart.
    """
    while True:
        for place in process.threads:
            # It may have ended, or be about to.
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                status = f"{place}/status"
                tables = _bytes_told(status, b"VmPTE")
                if tables is not None:
                    own = _bytes_told(status, b"RssAnon") or 0
                    # Whoever lets nobody look into its memory shares nothing.
                    with contextlib.suppress(PermissionError):
                        if in_parts:
                            own = _bytes_told(f"{place}/smaps_rollup", b"Pss_Anon") or own
                    return tables + own
        stat = _stat(f"/proc/{process.number}")
        if not stat or stat[17] == b"1":
            return 0
        if time.monotonic() > until:
            # Threads that come and go hold it together, and none was there for long enough.
            return _UNSEEN
        # Of one that ends, memory is gone before its threads are; soon it has no more than one.
        time.sleep(_MOMENT)
        process = _process(process.number, stat)


def _open_files(process: _Process) -> dict[str, str] | None:
    """Where its open files lie in /proc, and what they lead to; None where they are not seen."""
    found = {}
    for place in process.threads:
        folder = f"{place}/fd"
        try:
            for name in os.listdir(folder):  # noqa: PTH208 - a `Path` takes three times as long
                path = f"{folder}/{name}"
                # It may be closed by now.
                with contextlib.suppress(FileNotFoundError):
                    found[path] = os.readlink(path)  # noqa: PTH115
        except FileNotFoundError:
            continue
        except OSError:
            return None
    return found


def _held_by(those: list[_Process], until: float) -> int:
    """Bytes that open files without a name hold, and that sockets and pipes may hold."""
    links: dict[str, str] = {}
    unseen = 0
    for each in those:
        while (found := _open_files(each)) is None and _memory_of(each, until):
            if time.monotonic() > until:
                unseen += 1
                break
            time.sleep(_MOMENT)
        links |= found or {}
    kinds = Counter(each.partition(":")[0] for each in {*links.values()})
    in_sockets, in_pipes = kinds["socket"] * _in_a_socket(), kinds["pipe"] * _PIPE
    unnamed = {}
    for path, leads in links.items():
        if leads.endswith(" (deleted)"):
            with contextlib.suppress(OSError):
                known = os.stat(path)  # noqa: PTH116
                unnamed[known.st_dev, known.st_ino] = known.st_blocks * 512
    return in_sockets + in_pipes + sum(unnamed.values()) + unseen * _UNSEEN


@cache
def _in_a_socket() -> int:
    """Bytes that may wait in a socket at most; Linux counts what is beside them, too."""
    with socket.socket(socket.AF_UNIX) as one:
        return 2 * one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)


def _queued_in(process: int) -> int:
    """Bytes that may wait in the sockets of a process's namespace, whoever has closed an end.

    Whoever is not accepted yet has a socket that nobody has open, and what it has sent. To one for
    datagrams many may send, each as much as it holds. Where there is no namespace for them, others'
    wait there, too.
    """
    with contextlib.suppress(OSError):
        lines = [line.split() for line in _read(f"/proc/{process}/net/unix").splitlines()[1:]]
        # The name of a socket may hold line breaks.
        ends = [(line[4], line[6]) for line in lines if len(line) > 6]
        waiting = sum(number == b"0" for _, number in ends)
        return (waiting + _QUEUE * sum(kind == b"0002" for kind, _ in ends)) * _in_a_socket()
    return 0


def _shared_by(those: list[_Process]) -> int:
    """Bytes of memory that is mapped to be shared and has no name: as large as it may get."""
    largest: Counter[bytes] = Counter()
    for each in those:
        sizes: Counter[bytes] = Counter()
        with contextlib.suppress(OSError, StopIteration):
            for low, high, it in _SHARED.findall(_read(f"{next(iter(each.threads))}/maps")):
                sizes[it] += int(high, 16) - int(low, 16)
        largest |= sizes
    return largest.total()


def _files_in(folder: str) -> int:
    """Bytes of the files in a folder."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(f"{path}/{name}").st_blocks * 512
    return total
