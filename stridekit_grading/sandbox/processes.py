"""What a learner's process and all that it has started take; and how they are ended."""

import contextlib
import os
import resource
import signal
import socket
import time
from collections import Counter
from functools import cache
from io import FileIO
from typing import NamedTuple

_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_PAGE = resource.getpagesize()
# What a pipe may hold at most, and what is not to be seen.
_PIPE, _UNSEEN = 64 * 1024, 1024**3
# So many datagrams wait in a socket of a new namespace, and one more.
_QUEUE = 11
_MOMENT = 0.02
# So often is looked for those that are to be killed.
_ROUNDS = 500


class _Thread(NamedTuple):
    """Where /proc tells of a thread, which may have open files of its own; and its state."""

    place: str
    state: str


class _Process(NamedTuple):
    """What /proc tells of one: seconds and ticks, bytes of memory that is mapped, and its own."""

    number: int
    threads: list["_Thread"]
    """Those that live. The first may have ended before the others, with all that is told of it."""
    seconds: float
    of_children: float
    began: int
    mapped: int
    own: int


def _read(path: str) -> bytes:
    """What is in a file of /proc; a `Path` takes three times as long, and this is read often."""
    with FileIO(path) as file:
        return file.readall()


def _all_stats() -> dict[int, list[bytes]]:
    """Of each process, what its stat tells after its name."""
    found = {}
    with os.scandir("/proc") as entries:
        numbers = [entry.name for entry in entries if entry.name.isdecimal()]
    for number in numbers:
        with contextlib.suppress(OSError):
            told = _read(f"/proc/{number}/stat").rpartition(b")")[2].split()
            # Of one that ends at this moment it may be empty.
            if told:
                found[int(number)] = told
    return found


def _processes(stats: dict[int, list[bytes]]) -> list[_Process]:
    found = []
    for number, stat in stats.items():
        with contextlib.suppress(OSError, ValueError, IndexError):
            threads = _threads(number, stat)
            each = _Process(
                number,
                threads,
                (int(stat[11]) + int(stat[12])) / _TICKS,
                (int(stat[13]) + int(stat[14])) / _TICKS,
                int(stat[19]),
                *_memory_of(threads, are_several=stat[17] != b"1"),
            )
            found.append(each)
    return found


def _threads(number: int, stat: list[bytes]) -> list[_Thread]:
    if stat[17] == b"1":
        state = stat[0].decode()
        return [] if state in "ZX" else [_Thread(f"/proc/{number}", state)]
    found = []
    folder = f"/proc/{number}/task"
    for name in os.listdir(folder):  # noqa: PTH208 - a `Path` takes three times as long
        # It may have ended by now.
        with contextlib.suppress(OSError, IndexError):
            place = f"{folder}/{name}"
            state = _read(f"{place}/stat").rpartition(b")")[2].split()[0].decode()
            if state not in "ZX":
                found.append(_Thread(place, state))
    return found


def _memory_of(threads: list[_Thread], *, are_several: bool) -> tuple[int, int]:
    """Bytes that are mapped, and those that are a process's own."""
    for each in threads:
        with contextlib.suppress(OSError):
            size, resident, shared = map(int, _read(f"{each.place}/statm").split()[:3])
            if size:
                return size * _PAGE, (resident - shared) * _PAGE + _tables_of(each)
    # Threads that come and go hold it together, and none was there for long enough.
    return (_UNSEEN, _UNSEEN) if are_several else (0, 0)


def _tables_of(thread: _Thread) -> int:
    """Bytes of what tells where its pages lie: two pages for one, where pages lie far apart."""
    # What it calls itself stands in the first line.
    told = _read(f"{thread.place}/status").partition(b"\nVmPTE:")[2].split()
    return int(told[0]) * 1024 if told else 0


class Taken(NamedTuple):
    """What processes take together."""

    seconds: float
    memory: int
    living: int
    """How many live, beside the first."""
    states: frozenset[str]
    """Of all their threads, as /proc writes them: R computes or would if it could, D waits."""


class Processes:
    """A process, and all that descend from it.

    Seconds are counted twice, and the larger number counts. What a process has waited for, Linux
    adds to its own. Of those that nobody waits for it forgets what they took: so every look also
    adds what each has taken since the last one, and takes one that it sees for the first time for
    one of many that came and went.

    Memory is what is mapped and nobody else's, and what is held without being mapped: by open
    files that have no name, by sockets and pipes. Memory that was there at first does not count.
    """

    def __init__(self, first: int, files: str | None = None, *, is_apart: bool) -> None:
        """`is_apart` says that the first is that of a namespace, in which all others are.

        `files` is a folder whose files count too, where nothing else limits them. The first was
        forked from what all others are forked from, and does nothing: what it has was there.
        """
        self._first, self._files, self._is_apart = first, files, is_apart
        known = [each for each in self._below() if each.number == first]
        self._at_first = (known[0].own, known[0].mapped) if known else (0, 0)
        self._looked = time.monotonic()
        self._known: dict[tuple[int, int], float] = {}
        self._estimated = 0.0

    def look(self, most: int) -> Taken:
        """What they take together; memory closely only where it may be more than `most`."""
        those = self._below()
        exact = sum(each.seconds + each.of_children for each in those)
        known, now = self._known, time.monotonic()
        passed, self._looked = now - self._looked, now
        since_start = time.clock_gettime(time.CLOCK_BOOTTIME)
        for each in those:
            before = known.get((each.number, each.began))
            if before is None:
                age = max(since_start - each.began / _TICKS, 1 / _TICKS)
                gained = max(each.seconds, passed * min(1.0, each.seconds / age))
            else:
                gained = each.seconds - before
            self._estimated += gained
        self._known = {(each.number, each.began): each.seconds for each in those}
        return Taken(
            max(exact, self._estimated),
            self._memory(those, most),
            sum(bool(each.threads) for each in those if each.number != self._first),
            frozenset(thread.state for each in those for thread in each.threads),
        )

    def kill(self) -> None:
        """Kill them all."""
        killed: set[tuple[int, int]] = set()
        # With the first process of a namespace all others end; else it goes last, and who is
        # another one whenever somebody looks is given up.
        for _ in range(0 if self._is_apart else _ROUNDS):
            # Who was killed does nothing more, however long the end takes.
            those = {(each.number, each.began) for each in self._below()} - killed
            doomed = {each for each in those if each[0] != self._first}
            if not doomed:
                break
            killed |= doomed
            for number, _ in doomed:
                with contextlib.suppress(OSError):
                    os.kill(number, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.kill(self._first, signal.SIGKILL)

    def _below(self) -> list[_Process]:
        every = _all_stats()
        parents = {number: int(stat[1]) for number, stat in every.items()}
        found = {self._first} & {*every}
        while more := {n for n, parent in parents.items() if parent in found} - found:
            found |= more
        return _processes({number: every[number] for number in found})

    def _memory(self, those: list[_Process], most: int) -> int:
        those = [each for each in those if each.number != self._first]
        own, mapped = self._at_first
        held = _held_by(those)
        if self._is_apart:
            held += _queued_in(self._first)
        if self._files is not None:
            held += _files_in(self._files)
        if held + sum(max(0, each.mapped - mapped) for each in those) > most:
            held += _shared_by(those)
        # What was there at first is there once: a fork that writes to its part has one of its own.
        quickly = held + sum(each.own for each in those) - own
        # What a fork has in common with others is there once, too. Of what was there at first, its
        # part is small: servers, guards and referees have it in common.
        return quickly if quickly <= most else held + sum(map(_proportional, those))


def _open_files(process: _Process) -> dict[str, str] | None:
    """Where its open files lie in /proc, and what they lead to; None where they are not seen."""
    found = {}
    for thread in process.threads:
        folder = f"{thread.place}/fd"
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


def _held_by(those: list[_Process]) -> int:
    """Bytes that open files without a name hold, and that sockets and pipes may hold."""
    sockets, pipes, unnamed, unseen = set(), set(), {}, 0
    for each in those:
        links = _open_files(each)
        if links is None:
            # Who begins another program, or is about to end, is so for a moment only.
            time.sleep(_MOMENT)
            links = _open_files(each)
        if links is None:
            now = _processes({each.number: _all_stats().get(each.number, [])})
            unseen += any(one.mapped > 0 for one in now)
            continue
        for path, leads in links.items():
            if leads.startswith("socket:"):
                sockets.add(leads)
            elif leads.startswith("pipe:"):
                pipes.add(leads)
            elif leads.endswith(" (deleted)"):
                with contextlib.suppress(OSError):
                    known = os.stat(path)  # noqa: PTH116
                    unnamed[f"{known.st_dev} {known.st_ino}"] = known.st_blocks * 512
    in_sockets, in_pipes = len(sockets) * _in_a_socket(), len(pipes) * _PIPE
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
        with contextlib.suppress(OSError, IndexError):
            for line in _read(f"{each.threads[0].place}/maps").splitlines():
                ends, rights, _, device, inode, *name = line.split(None, 5)
                if rights.endswith(b"s") and name and name[0].startswith((b"/dev/zero", b"/SYSV")):
                    low, high = (int(end, 16) for end in ends.split(b"-"))
                    sizes[device + inode] += high - low
        largest |= sizes
    return largest.total()


def _proportional(process: _Process) -> int:
    """Bytes of memory of its own, and its part of what it has in common with others."""
    for each in process.threads:
        try:
            told = _read(f"{each.place}/smaps_rollup")
            return int(told.partition(b"Pss_Anon:")[2].split()[0]) * 1024 + _tables_of(each)
        except (FileNotFoundError, ProcessLookupError):
            """It has ended, or is about to."""
        except (OSError, ValueError, IndexError):
            return process.own
    return 0 if len(process.threads) == 1 else process.own


def _files_in(folder: str) -> int:
    """Bytes of the files in a folder."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(f"{path}/{name}").st_blocks * 512
    return total
