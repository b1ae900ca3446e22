"""The warm server: it imports everything once, and forks a process for whatever is asked.

Two processes come of it before it learns anything that is secret: one that learners' processes
are forked from, and this one, which their referees are forked from.
"""

import ast
import contextlib
import gc
import os
import resource
import select
import socket
import sys
import warnings
from base64 import b64decode
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from stridekit_course.checks import exercise
from stridekit_course.exercises import check, find
from stridekit_grading.sandbox import kernel
from stridekit_grading.sandbox.channel import (
    Channel,
    ChannelError,
    receive_descriptors,
    requests,
)
from stridekit_grading.sandbox.guard import INSIDE, Place, reap, serve
from stridekit_grading.sandbox.learner import LearnerProcess, new_chances
from stridekit_grading.sandbox.referee import Referee, encoded
from stridekit_grading.sandbox.shell import Shell, make_shell

COURSE, OUTER = "course", "outer"
_NOBODY = 65534
# What they make ready, nobody's process has to: pictures, a check that fails.
FIRST_CELLS = (
    "import stridekit, torch\ngiven = torch.arange(6).view(2, 3).t()\n"
    'stridekit.draw({"given": given, "again": stridekit.arange(6).view(2, 3)})',
    "stridekit.draw_change(given, lambda t: t.contiguous())",
    "from stridekit_course import check\ncheck.contiguous(lambda tensor: tensor)",
    "check.is_dense(lambda size, stride: True)",
)
# What nearly everybody's process would import by itself otherwise.
_WARM = ("numpy", "numpy.random", "tracemalloc")
# Where anybody names torch, or checks and pictures of ours. Torch takes longer than all else.
_TENSORS = ("torch", "stridekit", "stridekit.tensors.interop.torch")
# Where anybody draws with it. It looks through all fonts first, which takes as long as most else.
FIGURES = (
    "import matplotlib.pyplot as plt, matplotlib_inline.backend_inline\n"
    'plt.plot([0, 1]); plt.show(); plt.close("all")',
)


def main() -> None:
    """Serve on the two sockets whose numbers are the arguments: orders, and jobs."""
    orders, jobs = (int(each) for each in sys.argv[1:3])
    folder = Path(sys.argv[3])
    for name in (COURSE, OUTER):
        (folder / name).mkdir(mode=0o777, parents=True, exist_ok=True)
        (folder / name).chmod(0o777)
    # The root of a machine has no limit to the number of its processes.
    if os.geteuid() == 0 and (str(folder) == INSIDE or sys.argv[4] == "anybody"):
        folder.chmod(0o711)
        if str(folder) == INSIDE:
            folder.parent.chmod(0o1777)
        with contextlib.suppress(PermissionError):
            os.setgroups([])
            os.setresgid(_NOBODY, _NOBODY, _NOBODY)
            os.setresuid(_NOBODY, _NOBODY, _NOBODY)
    kernel.die_with_parent()
    channel = Channel.of_descriptor(orders)
    with contextlib.suppress(ChannelError):
        course = channel.receive()
        place = Place(tuple(course["readable"]), str(folder / OUTER))
        shell = _warm(course["imports"], course["attributes"])
        ours, theirs = requests()
        _fork_learners(theirs, channel, jobs, shell, place)
        theirs.close()
        kernel.set_dumpable(dumpable=False)
        os.chdir(folder / COURSE)
        _Judging(shell, ours).serve(socket.socket(fileno=jobs), channel)


def _warm(imports: list[str], attributes: list[str]) -> Shell:
    """A shell, with everything imported that notebooks of the course import, and their checks."""
    before = warnings.filters[:]
    warnings.simplefilter("ignore")
    with_tensors = any(name.startswith(("torch", "stridekit")) for name in imports)
    for name in (*_WARM, *(_TENSORS if with_tensors else ()), *imports):
        # What is not there, somebody's cell will say.
        with contextlib.suppress(Exception):
            __import__(name)
    for name in attributes:
        with contextlib.suppress(Exception):
            find(name)
    shell = make_shell()
    figures = FIGURES if any(name.startswith("matplotlib") for name in imports) else ()
    for source in (*figures, *(FIRST_CELLS if with_tensors else ())):
        shell.run(source)
    new_chances()
    # What is there by now stays, and need not be looked at again.
    gc.freeze()
    shell.reset(new_session=True)
    warnings.filters[:] = before  # type: ignore[index]
    return shell


def _fork_learners(
    theirs: socket.socket, secret: Channel, jobs: int, shell: Shell, place: Place
) -> None:
    """Fork what learners' processes are forked from; it drops all over which secrets come."""
    gc.freeze()
    if os.fork():
        return
    gc.enable()
    kernel.die_with_parent()
    secret.close()
    os.close(jobs)

    def learner(channels: list[Channel], scratch: str) -> None:
        theirs.close()
        LearnerProcess(shell, channels, scratch).serve()

    # The first traceback takes as long as all that. What the trial needs comes first.
    serve(theirs, learner, place, meanwhile=lambda: _show_traceback(shell))


def _show_traceback(shell: Shell) -> None:
    shell.run("1 / 0")
    shell.reset(new_session=True)
    gc.freeze()


class _Judging:
    """What referees are forked from."""

    def __init__(self, shell: Shell, learners: socket.socket) -> None:
        self._shell, self._learners = shell, learners
        self._files: dict[str, str] = {}

    def learn(self, plan: dict[str, Any]) -> None:
        """Learn what the tests are, and make ready what they need."""
        exercise.keep_secret(bytes.fromhex(plan["secret"]))
        self._files = plan["files"]
        for name, content in self._files.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(b64decode(content))
        sys.path.append(str(Path.cwd()))
        self._shell.user_ns["check"] = check
        for source in plan["checks"]:
            self._shell.make_ready(source)
        make_batches(plan["checks"])
        gc.freeze()
        gc.enable()

    def judge(self, channel: Channel) -> None:
        """Run one notebook."""
        job = channel.receive()
        _limit(job["budgets"])
        job["files"] |= self._files
        tell = lambda sleeps: channel.send({"sleeps": sleeps})  # noqa: E731
        channel.send(Referee(self._shell, self._learners, job, tell).run())

    def serve(self, jobs: socket.socket, orders: Channel) -> None:
        """Fork a referee for each job, until nobody sends any more. Raises ChannelError."""
        while True:
            watched: list[Any] = [orders, jobs]
            ready, _, _ = select.select(watched, [], [])
            reap()
            # The first notebook tries what it may not do, and is not to know the tests.
            if jobs not in ready:
                self.learn(orders.receive())
                orders.send("ready")
                continue
            descriptors = receive_descriptors(jobs)
            if descriptors is None:
                return
            if os.fork() == 0:
                kernel.die_with_parent()
                jobs.close()
                with contextlib.suppress(ChannelError):
                    self.judge(Channel.of_descriptor(descriptors[0]))
                os._exit(0)
            os.close(descriptors[0])


def _limit(budgets: dict[str, float]) -> None:
    """What a learner gives back may be small to send, and endless to look at."""
    mapped = int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()
    most = mapped + int(budgets["memory"])
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    seconds = int(budgets["notebook"]) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def make_batches(sources: Iterable[str]) -> None:
    """The cases and what they expect, of every check of the course's that test cells call.

    Each fork would make them again, and for those who fail the order in which they are told.
    """
    for source in sources:
        for each in ast.walk(ast.parse(source)):
            if not (isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)):
                continue
            of_course = find(each.func.attr)
            given: dict[str | None, Any] = {
                keyword.arg: keyword.value.value
                for keyword in each.keywords
                if isinstance(keyword.value, ast.Constant)
            }
            if of_course is None:
                continue
            hidden, seed = bool(given.get("hidden")), given.get("seed", exercise.SEED)
            batch = of_course.batch(hidden=hidden, seed=seed)
            for number in range(len(batch.cases)):
                of_course.order(batch, number)
            encoded(batch.cases)
