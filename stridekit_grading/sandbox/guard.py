"""The parent of a learner's process: it shuts it in, looks at what it takes, and kills it.

A guard does what its referee says over a socket of theirs, of which the learner's process knows
nothing. When that socket is closed, everything that the learner started ends.
"""

import contextlib
import os
import resource
import select
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from stridekit_grading import PACKAGES
from stridekit_grading.sandbox import kernel
from stridekit_grading.sandbox.channel import Channel, ChannelError

_NAMESPACES = kernel.NEW_PROCESSES | kernel.NEW_IPC | kernel.NEW_NETWORK
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_PAGE = resource.getpagesize()
# What a learner's process may take. The files of all lie in memory, and so does what it shares.
MEMORY = 3 * 1024**3
PROCESSES = 64
SCRATCH_MEGABYTES = 256
SHARED_MEGABYTES = 64
OPEN_FILES = 256
SCRATCH = "/tmp/learner"
# The server's own folder, behind bubblewrap.
INSIDE = "/tmp/stridekit"


class Usage(NamedTuple):
    """What a learner's processes take: seconds of processor time, bytes, how many there are.

    Bytes are those beyond what each had when it was forked.
    """

    seconds: float
    memory: int
    processes: int


def keep(control: Channel, learner: Callable[[str], None], outer: str) -> None:
    """Shut a new process in, let it be the learner's, and look after it until it ends.

    `learner` is called in it with its scratch folder, and does not return. `outer` is a folder
    that may be written where nothing better can be had.
    """
    level = {"namespaces": _shut_in()}
    process = os.fork()
    if process == 0:
        control.close()
        _begin(learner, outer)
    control.send(level)
    with contextlib.suppress(ChannelError):
        _look_after(process, control)
    with contextlib.suppress(OSError):
        os.kill(process, signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.waitpid(process, 0)
    os._exit(0)


def _shut_in() -> bool:
    """Have namespaces of one's own, from the next process on; whether that went well."""
    kernel.set_dumpable(dumpable=True)
    try:
        kernel.unshare(kernel.NEW_USER | _NAMESPACES)
    except OSError:
        return False
    return True


def _begin(learner: Callable[[str], None], outer: str) -> None:
    """In the learner's process: what is left of its rights is taken, then it begins."""
    kernel.die_with_parent()
    os.setsid()
    scratch = _own_folders() or tempfile.mkdtemp(dir=outer)
    os.chdir(scratch)
    version = kernel.landlock([scratch, "/dev/shm", "/dev/null", "/dev/tty"])
    _limit()
    # What is written there would go to a file of the grader's.
    os.dup2(os.open(os.devnull, os.O_RDWR), 2)
    kernel.no_new_privileges()
    kernel.drop_capabilities()
    os.environ["STRIDEKIT_LANDLOCK"] = str(version)
    try:
        learner(scratch)
    finally:
        os._exit(1)


def _own_folders() -> str:
    """A scratch folder, /dev/shm and /proc of its own. Empty where that is not allowed."""
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
    except OSError:
        return ""
    Path(SCRATCH).mkdir(mode=0o700)
    for mount in (kernel.mount_processes, _own_shared_memory):
        # What cannot be had is missed by the canaries, which decide whether that will do.
        with contextlib.suppress(OSError):
            mount()
    return SCRATCH


def _of_python_in_tmp() -> list[str]:
    folders = {sys.prefix, sys.base_prefix, *map(str, PACKAGES)}
    in_tmp = [Path(each) for each in sorted(folders) if Path(each).is_relative_to("/tmp")]
    # An installed package lies in its environment, and comes with it.
    return [str(each) for each in in_tmp if not any(other in each.parents for other in in_tmp)]


def _own_shared_memory() -> None:
    kernel.mount_memory("/dev/shm", SHARED_MEGABYTES)


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


def _look_after(process: int, control: Channel) -> None:
    ended = os.pidfd_open(process)
    while True:
        watched: list[Any] = [control, ended]
        ready, _, _ = select.select(watched, [], [])
        if ended in ready:
            _, status = os.waitpid(process, 0)
            control.send({"ended": _how(status)})
            return
        control.receive()
        control.send({"usage": usage_of(process)})


def _how(status: int) -> str:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        with contextlib.suppress(ValueError):
            return signal.Signals(number).name
        return f"signal {number}"
    return f"exit status {os.WEXITSTATUS(status)}"


def usage_of(process: int) -> Usage:
    """What a process and all that descend from it take together."""
    parents: dict[int, int] = {}
    facts: dict[int, tuple[float, int]] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            fields = (entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:
            continue
        # Those after the name, which is the second of all.
        parents[int(entry.name)] = int(fields[1])
        seconds = sum(map(int, fields[11:15])) / _TICKS
        facts[int(entry.name)] = seconds, int(fields[21]) * _PAGE
    theirs = {process}
    grown = True
    while grown:
        more = {each for each, parent in parents.items() if parent in theirs} - theirs
        theirs |= more
        grown = bool(more)
    those = [facts[each] for each in theirs if each in facts]
    at_first = facts.get(os.getpid(), (0.0, 0))[1]
    memory = sum(max(0, each[1] - at_first) for each in those)
    return Usage(sum(each[0] for each in those), memory, len(those))


def serve(
    requests: Any,
    learner: Callable[[Channel, str], None],
    outer: str,
    meanwhile: Callable[[], None],
) -> None:
    """Make a learner's process for every pair of sockets that comes; end when nobody asks.

    `meanwhile` is called once, while the first of them runs: nobody asks for the next so soon.
    """
    from stridekit_grading.sandbox.channel import receive_descriptors

    while True:
        descriptors = receive_descriptors(requests, 2)
        _reap()
        if descriptors is None:
            os._exit(0)
        if os.fork() == 0:
            kernel.die_with_parent()
            requests.close()
            channel, control = map(Channel.of_descriptor, descriptors)

            def begin(scratch: str, channel: Channel = channel) -> None:
                learner(channel, scratch)

            try:
                keep(control, begin, outer)
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


def _reap() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
