"""The warm server: it imports everything once, and forks a process for whatever is asked.

Two processes come of it before it learns anything that is secret: one that learners' processes
are forked from, and this one, which their referees are forked from.
"""

import ast
import contextlib
import gc
import os
import resource
import selectors
import socket
import sys
import time
import warnings
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from stridekit.errors import ArgumentError, StridekitError
from stridekit_course.checks import exercise, wire
from stridekit_course.exercises import check, find
from stridekit_grading.sandbox import kernel
from stridekit_grading.sandbox.channel import Channel, ChannelError, requests
from stridekit_grading.sandbox.guard import INSIDE, discard, forked, guard, limit
from stridekit_grading.sandbox.learner import LearnerProcess, new_chances
from stridekit_grading.sandbox.referee import Referee
from stridekit_grading.sandbox.shell import Shell, make_shell

_NOBODY = 65534
# What nearly everybody's process would import by itself otherwise.
_WARM = ("numpy", "numpy.random", "tracemalloc")


def main() -> None:
    """Serve on the two sockets whose numbers are the arguments: orders, and jobs."""
    orders, jobs = (socket.socket(fileno=int(each)) for each in sys.argv[1:3])
    folder = Path(sys.argv[3])
    outer = folder / "outer"
    outer.mkdir(mode=0o777, parents=True, exist_ok=True)
    outer.chmod(0o777)
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
    with contextlib.suppress(ChannelError):
        channel = Channel(orders)
        course = channel.receive()
        shell = _warm(course["imports"])
        mine, theirs = requests()
        gc.freeze()
        if os.fork() == 0:
            # What learners' processes are forked from; over all these come secrets, or requests.
            for each in (orders, jobs, mine):
                each.close()
            gc.enable()
            kernel.die_with_parent()
            learner = lambda *given: LearnerProcess(shell, *given).serve()  # noqa: E731
            shut_in = partial(guard, learner=learner, readable=course["readable"], outer=str(outer))
            while forked(theirs, shut_in):
                """Until nobody asks."""
            os._exit(0)
        theirs.close()
        kernel.set_dumpable(dumpable=False)
        # The first notebook tries what it may not do, and is not to know the tests.
        if forked(jobs, partial(_referee, shell, mine, {})):
            files = _learn(shell, channel)
            while forked(jobs, partial(_referee, shell, mine, files)):
                """Until nobody asks."""


def _warm(imports: list[str]) -> Shell:
    """A shell, with everything imported that notebooks of the course import."""
    before = warnings.filters[:]
    warnings.simplefilter("ignore")
    # Learners' processes have no epoll: see `kernel.refuse_calls`.
    selectors.DefaultSelector = selectors.PollSelector  # type: ignore[assignment, misc]
    for name in (*_WARM, *imports):
        # What is not there, somebody's cell will say.
        with contextlib.suppress(Exception):
            __import__(name)
    shell = make_shell()
    # What a module has: programs that are started ask for it. And `_`, before anything has a value.
    first = {name: each for name, each in shell.user_ns.items() if name[:2] in ("_", "__")}
    shell.begin_process()
    # For the first traceback much is made ready.
    shell.run("1 / 0")
    shell.end_process()
    new_chances()
    # What is there by now stays, and need not be looked at again.
    gc.freeze()
    shell.reset(new_session=True)
    shell.user_ns |= first
    warnings.filters[:] = before  # type: ignore[index]
    return shell


def _learn(shell: Shell, orders: Channel) -> dict[str, str]:
    """Make ready what the tests ask; gives the files of the course. Raises ChannelError."""
    plan = orders.receive()
    exercise.keep_secret(bytes.fromhex(plan["secret"]))
    shell.user_ns["check"] = check
    problem = ""
    try:
        make_batches(plan["checks"])
    except StridekitError as error:
        problem = str(error)
    gc.freeze()
    gc.enable()
    orders.send({"problem": problem})
    files: dict[str, str] = plan["files"]
    return files


def _referee(
    shell: Shell, learners: socket.socket, files: dict[str, str], descriptors: list[int]
) -> None:
    """Run one submission after another: what it has worked out of cases is known for the next."""
    kernel.die_with_parent()
    channel = Channel.of_descriptor(descriptors[0])
    tell = lambda sleeps: channel.send({"sleeps": sleeps})  # noqa: E731
    shell.begin_process()
    # Until nobody sends any more.
    with contextlib.suppress(ChannelError):
        while True:
            job = channel.receive()
            notebooks = job["notebooks"]
            job["files"], folder = files | job["files"], None
            for number, notebook in enumerate(notebooks, 1):
                # What a learner gives back may be small to send, and endless to look at.
                memory, seconds = (int(job["budgets"][name]) for name in ("memory", "notebook"))
                most = int(time.process_time()) + 2 * seconds + 1
                limit(memory, {resource.RLIMIT_CPU: most}, for_good=False)
                shell.execution_count = 1
                this = {**job, **notebook, "is_followed": number < len(notebooks)}
                referee = Referee(shell, learners, this, tell, folder)
                channel.send(referee.run())
                if folder is not None:
                    discard(folder)
                folder = referee.folder


def make_batches(sources: Iterable[str]) -> None:
    """The cases and what they expect, of every check of the course's that test cells call.

    Each fork would make them again. Raises StridekitError where there is no such check, or none
    that works.
    """
    for call in (each for source in sources for each in ast.walk(ast.parse(source))):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
            continue
        name = call.func.attr
        given = {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
        asked: dict[str, Any] = {"hidden": False, "seed": exercise.SEED, **given}
        if len(asked) > 2 or asked["hidden"] not in (True, False):
            said = "is not a call of a check, which takes hidden and seed alone."
            raise ArgumentError(f"{ast.unparse(call)} {said}")
        try:
            # It says what there is, where there is no such exercise.
            getattr(check, name)
            of_course = find(name)
            assert of_course is not None
            wire.encode_ahead(of_course.batch(**asked).cases)
        except StridekitError:
            raise
        except Exception as error:
            # Whoever writes exercises may err in any way, in a reference or in the module itself.
            why = f"{type(error).__name__}: {error}"
            raise ArgumentError(f"check.{name} itself fails, with {why}.") from error
