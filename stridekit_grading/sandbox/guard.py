"""What keeps a learner's process: it shuts it in, counts what it takes, and kills it.

A guard does what its referee says over a socket of theirs, of which the learner's process knows
nothing. Between the two stands the first process of a namespace: with it ends everything that the
learner started, whatever that did to get away.
"""

import contextlib
import os
import resource
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from stridekit_grading import PACKAGES
from stridekit_grading.sandbox import kernel
from stridekit_grading.sandbox.channel import Channel, ChannelError, pair, receive_descriptors

_NAMESPACES = kernel.NEW_PROCESSES | kernel.NEW_IPC | kernel.NEW_NETWORK
# What a learner's process may take. The files of all lie in memory, and so does what it shares.
MEMORY = 3 * 1024**3
PROCESSES = 64
SCRATCH_MEGABYTES = 256
SHARED_MEGABYTES = 64
OPEN_FILES = 256
SCRATCH = "/tmp/learner"
# The server's own folder, behind bubblewrap.
INSIDE = "/tmp/stridekit"
# What may be seen of /proc where it shows all processes of the machine.
_OF_PROC = ("cpuinfo", "meminfo", "filesystems", "stat", "version", "loadavg", "uptime", "sys")


class Place(NamedTuple):
    """Where learners' processes are made.

    `readable` is what they may read there, `outer` a folder that may be written where nothing
    better can be had.
    """

    readable: tuple[str, ...]
    outer: str


def serve(
    requests: Any,
    learner: Callable[[list[Channel], str], None],
    place: Place,
    meanwhile: Callable[[], None],
) -> NoReturn:
    """Make a learner's process for all descriptors that come; end when nobody asks.

    The first of them is its guard's, the others are its own. `meanwhile` is called once, while the
    first of them runs: nobody asks for the next so soon.
    """
    while True:
        descriptors = receive_descriptors(requests)
        reap()
        if descriptors is None:
            os._exit(0)
        if os.fork() == 0:
            kernel.die_with_parent()
            requests.close()
            control, *others = map(Channel.of_descriptor, descriptors)
            try:
                Guard(control, others, learner, place).keep()
            except BaseException as error:  # noqa: BLE001 - nothing is above it
                print(f"guard: {error!r}", file=sys.__stderr__)
            finally:
                os._exit(1)
        for each in descriptors:
            os.close(each)
        meanwhile()
        meanwhile = _nothing


def _nothing() -> None:
    """For all but the first."""


def reap() -> None:
    """Bury who has ended."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


class Guard:
    """Of one learner's process."""

    def __init__(
        self,
        control: Channel,
        others: list[Channel],
        learner: Callable[[list[Channel], str], None],
        place: Place,
    ) -> None:
        self._control = control
        level = _in_namespaces()
        self._first, of_first = map(Channel, pair())
        process = os.fork()
        if process == 0:
            kernel.die_with_parent()
            for each in (control, self._first):
                each.close()
            _be_first(of_first, level, lambda scratch: learner(others, scratch), place)
        for each in (of_first, *others):
            each.close()
        begun = self._first.receive()
        kernel.set_dumpable(dumpable=False)
        self._main: int | None = begun["main"]
        self._tree = Processes(process, begun["files"], is_apart=level)
        control.send({"namespaces": level})

    def keep(self) -> NoReturn:
        """Look after it until it ends, or nobody asks any more."""
        with contextlib.suppress(ChannelError):
            while True:
                ready, _, _ = select.select([self._control, self._first], [], [])
                if self._first in ready:
                    told = self._first.receive()
                    if self._main is not None:
                        self._control.send(told)
                        break
                else:
                    self._control.send(self._answer(self._control.receive()))
        self._tree.kill()
        os._exit(0)

    def _answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        if asked["do"] == "interrupt" and self._main is not None:
            self._tree.interrupt(self._main)
        elif asked["do"] == "kill":
            self._tree.kill(only=asked["process"])
        elif asked["do"] == "spare":
            # Whatever else it has started, and itself: what is left judges without it.
            self._main = None
            self._tree.kill(but=asked["processes"])
        return self._tree.look(self._main, asked["memory"])


def _in_namespaces() -> bool:
    """Have children in namespaces of their own, where they can be had."""
    kernel.set_dumpable(dumpable=True)
    try:
        kernel.unshare(kernel.NEW_USER | _NAMESPACES)
    except OSError:
        return False
    with contextlib.suppress(OSError):
        kernel.forbid_user_namespaces()
    return True


def _be_first(
    guard: Channel, level: bool, learner: Callable[[str], None], place: Place
) -> NoReturn:
    """Have the learner's process for a child, and bury all whose parents are gone."""
    kernel.adopt_orphans()
    is_own = level and _own_folders()
    scratch = SCRATCH if is_own else tempfile.mkdtemp(dir=place.outer)
    main = os.fork()
    if main == 0:
        guard.close()
        if not level:
            kernel.forbid_network()
        _begin(learner, scratch, place, is_own=is_own)
    kernel.set_dumpable(dumpable=False)
    guard.send({"main": main, "files": None if is_own else scratch})
    with contextlib.suppress(ChildProcessError, ChannelError):
        while True:
            process, status = os.waitpid(-1, 0)
            if process == main:
                guard.send({"ended": _how(status)})
    os._exit(0)


def _how(status: int) -> str:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        with contextlib.suppress(ValueError):
            return signal.Signals(number).name
        return f"signal {number}"
    return f"exit status {os.WEXITSTATUS(status)}"


# Before a process is the learner's.


def _own_folders() -> bool:
    """A scratch folder and /dev/shm of its own; whether they can be had."""
    try:
        # The guard goes on seeing what it saw.
        kernel.unshare(kernel.NEW_MOUNTS)
        kernel.mount_privately()
        # Python itself may lie in /tmp, and is needed on.
        kept = {path: os.open(path, os.O_PATH) for path in _of_python_in_tmp()}
        kernel.mount_memory("/tmp", SCRATCH_MEGABYTES)
        for path, descriptor in kept.items():
            Path(path).mkdir(parents=True)
            kernel.mount_again(descriptor, path)
            os.close(descriptor)
        kernel.mount_memory("/dev/shm", SHARED_MEGABYTES)
    except OSError:
        return False
    Path(SCRATCH).mkdir(mode=0o700)
    return True


def _of_python_in_tmp() -> list[str]:
    folders = {sys.prefix, sys.base_prefix, *map(str, PACKAGES)}
    in_tmp = [Path(each) for each in sorted(folders) if Path(each).is_relative_to("/tmp")]
    # An installed package lies in its environment, and comes with it.
    return [str(each) for each in in_tmp if not any(other in each.parents for other in in_tmp)]


def _begin(learner: Callable[[str], None], scratch: str, place: Place, *, is_own: bool) -> NoReturn:
    """What is left of its rights is taken, then it begins."""
    try:
        kernel.die_with_parent()
        os.setsid()
        os.chdir(scratch)
        shared = ("/dev/shm",) if is_own else ()
        version = kernel.landlock(
            (*place.readable, *_of_proc(is_own=is_own)),
            (scratch, *shared, "/dev/null", "/dev/tty"),
        )
        _limit()
        # What is written there would go to a file of the grader's.
        os.dup2(os.open(os.devnull, os.O_RDWR), 2)
        kernel.no_new_privileges()
        kernel.drop_capabilities()
        kernel.set_dumpable(dumpable=True)
        # Should the machine run out of memory, it is not the grader who ends.
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")
        os.environ["STRIDEKIT_LANDLOCK"] = str(version)
        learner(scratch)
    except BaseException as error:  # noqa: BLE001 - nothing is above it
        print(f"learner: {error!r}", file=sys.__stderr__)
    finally:
        os._exit(1)


def _of_proc(*, is_own: bool) -> tuple[str, ...]:
    """What may be seen of /proc: all, where it shows nobody else's processes."""
    with contextlib.suppress(OSError):
        if is_own:
            kernel.mount_processes()
            return ("/proc",)
    # Where it is mounted already, parts of it may be hidden, and none can be mounted again.
    itself = Path("/proc/self").readlink().name
    return (f"/proc/{itself}", *(f"/proc/{name}" for name in _OF_PROC))


def _limit() -> None:
    """What no one process may exceed; a guard looks at what all of them take."""
    mapped = int(Path("/proc/self/statm").read_bytes().split()[0]) * _PAGE
    for kind, most in (
        (resource.RLIMIT_AS, mapped + MEMORY),
        (resource.RLIMIT_NPROC, PROCESSES),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_FSIZE, SCRATCH_MEGABYTES * 1024**2),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))
    # A file that grows too long is an error in its cell, and no end of the process.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


# What all of its processes take.

_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_PAGE = resource.getpagesize()
# What a socket and a pipe may hold at most, and what is not to be seen at all.
_SOCKET, _PIPE, _UNSEEN = 416 * 1024, 64 * 1024, 1024**3
_MOMENT = 0.02


class _Process(NamedTuple):
    """What /proc tells of one: seconds and ticks, bytes of memory that is mapped, and its own."""

    number: int
    parent: int
    state: str
    seconds: float
    of_children: float
    threads: int
    began: int
    mapped: int
    own: int


def _all_processes() -> dict[int, _Process]:
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            stat = (entry / "stat").read_bytes().rpartition(b")")[2].split()
            size, resident, shared = (entry / "statm").read_bytes().split()[:3]
        except (OSError, ValueError):
            continue
        # Those after the name, which is the second of all.
        found[int(entry.name)] = _Process(
            int(entry.name),
            int(stat[1]),
            stat[0].decode(),
            (int(stat[11]) + int(stat[12])) / _TICKS,
            (int(stat[13]) + int(stat[14])) / _TICKS,
            int(stat[17]),
            int(stat[19]),
            int(size) * _PAGE,
            (int(resident) - int(shared)) * _PAGE,
        )
    return found


class Processes:
    """A process, and all that descend from it.

    Seconds are counted twice, and the larger number counts. What a process has waited for, Linux
    adds to its own. Of those that nobody waits for it forgets what they took: so every look also
    adds what each has taken since the last one, and takes one that it sees for the first time for
    one of many that came and went.

    Memory is what is mapped and nobody else's, and what is held without being mapped: by open
    files that have no name, by sockets and pipes. Memory that was there at first does not count.
    """

    def __init__(self, first: int, files: str | None, *, is_apart: bool) -> None:
        """`is_apart` says that the first is that of a namespace, in which all others are.

        `files` is a folder whose files count too, where nothing else limits them.
        """
        self._first, self._files, self._is_apart = first, files, is_apart
        here = _all_processes()[os.getpid()]
        self._at_first = here.own, here.mapped
        self._looked = time.monotonic()
        self._known: dict[tuple[int, int], float] = {}
        self._estimated = 0.0

    def look(self, main: int | None, most: int) -> dict[str, Any]:
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
        mine = [each for each in those if _number(each) == main]
        return {
            "seconds": max(exact, self._estimated),
            "memory": self._memory(those, most),
            "threads": mine[0].threads if mine else 1,
            # Who could compute and does not get a processor, or waits for the disk, is not asleep.
            "busy": any(map(_is_busy, those)),
        }

    def interrupt(self, number: int) -> None:
        """Interrupt one of them, by the number that it knows itself by."""
        for each in self._below():
            if _number(each) == number:
                with contextlib.suppress(OSError):
                    os.kill(each.number, signal.SIGINT)

    def kill(self, *, only: int | None = None, but: Iterable[int] | None = None) -> None:
        """Kill them all; or one and all below it; or spare some and all below those."""
        if only is None and but is None:
            # With the first process of a namespace all others end; else it goes last.
            if not self._is_apart:
                self.kill(but=())
            with contextlib.suppress(OSError):
                os.kill(self._first, signal.SIGKILL)
            return
        named = {*(but or ()), only}
        chosen: set[int] = set()
        while True:
            those = [each for each in self._below() if each.number != self._first]
            chosen |= {each.number for each in those if _number(each) in named}
            while more := {each.number for each in those if each.parent in chosen} - chosen:
                chosen |= more
            doomed = [
                each.number
                for each in those
                if (each.number in chosen) == (only is not None) and each.state not in "ZX"
            ]
            if not doomed:
                return
            for each in doomed:
                with contextlib.suppress(OSError):
                    os.kill(each, signal.SIGKILL)

    def _below(self) -> list[_Process]:
        every = _all_processes()
        found = {self._first} & {*every}
        while more := {n for n, each in every.items() if each.parent in found} - found:
            found |= more
        return [every[number] for number in found]

    def _memory(self, those: list[_Process], most: int) -> int:
        those = [each for each in those if each.number != self._first]
        own, mapped = self._at_first
        held = _held_by(those)
        if self._files is not None:
            held += _files_in(self._files)
        if held + sum(max(0, each.mapped - mapped) for each in those) > most:
            held += _shared_by(those)
        quickly = held + sum(max(0, each.own - own) for each in those)
        # What a fork has in common with others is there once, and so is what was there at first.
        return quickly if quickly <= most else held + max(0, sum(map(_proportional, those)) - own)


def _number(process: _Process) -> int:
    """The number of a process in its own namespace."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        told = Path(f"/proc/{process.number}/status").read_bytes()
        return int(told.partition(b"NSpid:")[2].partition(b"\n")[0].split()[-1])
    return process.number


def _is_busy(process: _Process) -> bool:
    if process.state in "RD":
        return True
    if process.threads == 1:
        return False
    with contextlib.suppress(OSError):
        for each in Path(f"/proc/{process.number}/task").iterdir():
            with contextlib.suppress(OSError):
                if (each / "stat").read_bytes().rpartition(b")")[2].split()[0] in (b"R", b"D"):
                    return True
    return False


def _open_files(process: _Process) -> list[Path] | None:
    """What stands for each of its open files; None where they are not to be seen."""
    try:
        return [*Path(f"/proc/{process.number}/fd").iterdir()]
    except FileNotFoundError:
        return []
    except OSError:
        return None


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
            now = _all_processes().get(each.number)
            unseen += now is not None and now.mapped > 0
            continue
        for link in links:
            with contextlib.suppress(OSError, ValueError, IndexError):
                leads = str(link.readlink())
                if leads.startswith("socket:"):
                    if leads not in sockets:
                        sockets.add(leads)
                        told = Path(f"/proc/{each.number}/fdinfo/{link.name}").read_bytes()
                        # What is on its way in a socket is open nowhere.
                        on_its_way = int(told.partition(b"scm_fds:")[2].split()[0])
                        unnamed[leads] = on_its_way * SCRATCH_MEGABYTES * 1024**2
                elif leads.startswith("pipe:"):
                    pipes.add(leads)
                elif leads.endswith(" (deleted)"):
                    known = link.stat()
                    unnamed[f"{known.st_dev} {known.st_ino}"] = known.st_blocks * 512
    return len(sockets) * _SOCKET + len(pipes) * _PIPE + sum(unnamed.values()) + unseen * _UNSEEN


def _shared_by(those: list[_Process]) -> int:
    """Bytes of memory that is mapped to be shared and has no name: as large as it may get."""
    largest: dict[bytes, int] = {}
    for each in those:
        sizes: dict[bytes, int] = {}
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{each.number}/maps").read_bytes().splitlines():
                ends, rights, _, device, inode, *name = line.split(None, 5)
                if rights.endswith(b"s") and name and name[0].startswith((b"/dev/zero", b"/SYSV")):
                    low, high = (int(end, 16) for end in ends.split(b"-"))
                    key = device + inode
                    sizes[key] = sizes.get(key, 0) + high - low
        for key, size in sizes.items():
            largest[key] = max(size, largest.get(key, 0))
    return sum(largest.values())


def _proportional(process: _Process) -> int:
    """Bytes of memory of its own, and its part of what it has in common with others."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        told = Path(f"/proc/{process.number}/smaps_rollup").read_bytes()
        return int(told.partition(b"Pss_Anon:")[2].split()[0]) * 1024
    return process.own


def _files_in(folder: str) -> int:
    """Bytes of the files in a folder."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(f"{path}/{name}").st_blocks * 512
    return total
