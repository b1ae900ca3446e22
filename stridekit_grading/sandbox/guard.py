"""What makes a learner's process, and shuts it in.

Between it and its referee stands its guard: the first process of a namespace, with which all ends
that the learner started, whatever that did to get away. The guard holds a socket of the referee's,
of which the learner's process knows nothing: when the referee is gone, it ends.
"""

import contextlib
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from stridekit_grading.sandbox import kernel
from stridekit_grading.sandbox.channel import (
    Channel,
    ChannelError,
    receive_descriptors,
    send_descriptors,
)
from stridekit_grading.sandbox.processes import Processes

_NAMESPACES = kernel.NEW_PROCESSES | kernel.NEW_IPC | kernel.NEW_NETWORK
# What a learner's process may take. The files of all lie in memory, and so does what it shares.
MEMORY = 3 * 1024**3
# Files that are mapped are no memory of its own. Those of torch's build for CUDA are 3 GiB.
FILES_MAPPED = 8 * 1024**3
PROCESSES = 64
SCRATCH_MEGABYTES = 256
SHARED_MEGABYTES = 64
_OF_A_PROCESS = {
    resource.RLIMIT_NPROC: PROCESSES,
    resource.RLIMIT_NOFILE: 256,
    resource.RLIMIT_SIGPENDING: 256,
    resource.RLIMIT_FSIZE: SCRATCH_MEGABYTES * 1024**2,
    resource.RLIMIT_CORE: 0,
}
SCRATCH = "/tmp/learner"
# The server's own folder, behind bubblewrap.
INSIDE = "/tmp/stridekit"
# What may be seen of /proc where it shows all processes of the machine.
_OF_PROC = ("cpuinfo", "meminfo", "filesystems", "stat", "version", "loadavg", "uptime", "sys")


def forked(requests: Any, does: Callable[[list[int]], None]) -> bool:
    """Have a fork of this process do something with the descriptors that come together next.

    Gives False when nobody sends any more.
    """
    descriptors = receive_descriptors(requests)
    reap()
    if descriptors is None:
        return False
    if os.fork() == 0:
        requests.close()
        try:
            does(descriptors)
        except BaseException as error:  # noqa: BLE001 - nothing is above it
            print(f"{type(error).__name__}: {error}", file=sys.__stderr__)
        finally:
            os._exit(1)
    for each in descriptors:
        os.close(each)
    return True


def reap() -> list[tuple[int, int]]:
    """Bury who has ended; gives their numbers, and how they ended."""
    ended = []
    with contextlib.suppress(ChildProcessError):
        while (each := os.waitpid(-1, os.WNOHANG))[0]:
            ended.append(each)
    return ended


def guard(
    descriptors: list[int],
    learner: Callable[[Channel, str], None],
    readable: Sequence[str],
    outer: str,
) -> NoReturn:
    """Have a learner's process begin, bury whose parents are gone, and end with the referee.

    The first of the descriptors is the guard's, and whatever comes there has the learner's process
    interrupted. The second is that one's, and a third is of a folder with whose files it begins.
    `readable` is what it may read, `outer` a folder for what it writes where nothing better can be
    had.
    """
    control, channel = map(Channel.of_descriptor, descriptors[:2])
    level = _in_namespaces()
    first = os.fork()
    if first:
        # In a new namespace of processes is who is forked, and not who has made it.
        control.send({"first": first, "namespaces": level})
        os._exit(0)
    kernel.adopt_orphans()
    own = _own_folders(readable) if level else ()
    scratch = SCRATCH if own else tempfile.mkdtemp(dir=outer)
    top = own[0] if own else scratch
    for each in descriptors[2:]:
        _copy(each, top)
    control.send({"files": None if own else scratch})
    folder = os.open(top, os.O_RDONLY | os.O_DIRECTORY)
    send_descriptors(channel.socket, [folder])
    os.close(folder)
    main = os.fork()
    if main == 0:
        control.close()
        of_namespaces = "own namespaces, " if level else ""
        _begin(lambda scratch: learner(channel, scratch), scratch, readable, own, of_namespaces)
    kernel.set_dumpable(dumpable=False)
    channel.close()
    wakes, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    # The first of a namespace is reached by no signal from within but those that it has asked for.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with contextlib.suppress(ChannelError):
        while True:
            for process, status in reap():
                if process == main:
                    control.send({"ended": os.waitstatus_to_exitcode(status)})
                    main = 0
            ready, _, _ = select.select([wakes, control.fileno()], [], [])
            if wakes in ready:
                os.read(wakes, 1 << 16)
            elif control.receive() and main:
                os.kill(main, signal.SIGINT)
    if not level:
        Processes(os.getpid(), is_apart=False).kill()
    os._exit(0)


def _copy(folder: int, top: str) -> None:
    """Lay out what another notebook of the submission has left, and close the folder.

    Links stay links, and so do holes in files; what must not be read is left out without a word,
    and what is mounted in /tmp is there already.
    """
    os.fchdir(folder)
    os.close(folder)
    subprocess.run(["cp", "-ax", ".", top], stderr=subprocess.DEVNULL, check=False)
    os.chdir("/")


def discard(folder: int) -> None:
    """Close a folder of a learner's process; where that has none of its own, it is on a disk."""
    with contextlib.suppress(OSError):
        path = os.readlink(f"/proc/self/fd/{folder}")  # noqa: PTH115
        # One of its own is called as another is here.
        if os.path.samestat(os.fstat(folder), os.stat(path)):  # noqa: PTH116
            remove = ["sh", "-c", 'chmod -R u+rwX "$0"; rm -rf "$0"', path]
            subprocess.run(remove, stderr=subprocess.DEVNULL, check=False)
    os.close(folder)


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


# Before a process is the learner's.


def _own_folders(readable: Sequence[str]) -> tuple[str, ...]:
    """/tmp, with the scratch folder in it, and /dev/shm, where it can have its own of them.

    Gives those that it may write.
    """
    try:
        kernel.unshare(kernel.NEW_MOUNTS)
        kernel.mount_privately()
        # Whoever may write to a device or a folder may set its times, which all others see. Old
        # kernels have no way to forbid that.
        with contextlib.suppress(OSError):
            kernel.make_read_only("/")
        # Python itself may lie in /tmp, and is needed on.
        in_tmp = (path for path in readable if Path(path).is_relative_to("/tmp"))
        kept = {path: os.open(path, os.O_PATH) for path in in_tmp}
        kernel.mount_memory("/tmp", SCRATCH_MEGABYTES)
        for path, descriptor in kept.items():
            Path(path).mkdir(parents=True)
            kernel.mount_again(descriptor, path)
            os.close(descriptor)
        kernel.mount_memory("/dev/shm", SHARED_MEGABYTES)
    except OSError:
        return ()
    Path(SCRATCH).mkdir(mode=0o700)
    return ("/tmp", "/dev/shm")


def _begin(
    learner: Callable[[str], None],
    scratch: str,
    readable: Sequence[str],
    own: tuple[str, ...],
    of_namespaces: str,
) -> NoReturn:
    """What is left of its rights is taken, then it begins; it is told how well it is shut in."""
    try:
        kernel.die_with_parent()
        os.setsid()
        os.chdir(scratch)
        # Without it, who is not root is refused what follows.
        kernel.no_new_privileges()
        version = kernel.landlock(
            (*readable, *_of_proc(is_own=bool(own))),
            (*(own or (scratch,)), "/dev/null", "/dev/tty"),
        )
        # Of one process; a referee looks at what all of them take together.
        limit(MEMORY, _OF_A_PROCESS)
        # A file that grows too long is an error in its cell, and no end of the process.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        # What is written there would go to a file of the grader's.
        os.dup2(os.open(os.devnull, os.O_RDWR), 2)
        kernel.refuse_calls()
        kernel.drop_capabilities()
        kernel.set_dumpable(dumpable=True)
        # Should the machine run out of memory, it is not the grader who ends.
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")
        of_landlock = f"Landlock {version}, " if version else ""
        os.environ["STRIDEKIT_SHUT_IN"] = f"{of_namespaces}{of_landlock}limits"
        learner(scratch)
    except BaseException as error:  # noqa: BLE001 - nothing is above it
        print(f"learner: {type(error).__name__}: {error}", file=sys.__stderr__)
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


def limit(memory: int, others: Mapping[int, int], *, for_good: bool = True) -> None:
    """What this process may not exceed: so much more memory than it has, and `others`.

    Where the machine allows less than that, it is less. What is not for good may be raised again.
    """
    told = [int(each) for each in Path("/proc/self/statm").read_bytes().split()]
    mapped, data = (told[at] * resource.getpagesize() for at in (0, 5))
    own = {resource.RLIMIT_DATA: data + memory, resource.RLIMIT_AS: mapped + memory + FILES_MAPPED}
    for kind, most in {**own, **others}.items():
        _, hard = resource.getrlimit(kind)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most if for_good else hard))
