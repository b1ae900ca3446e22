"""The warm server: it imports everything once, and forks a process for whatever is asked.

Two processes come of it before it learns anything that is secret: one that learners' processes
are forked from, and this one, which their referees are forked from. Beside it, for as long as it
imports, a third hears what the tests are and makes their cases: see `batches`.
"""

import contextlib
import dataclasses
import faulthandler
import gc
import os
import resource
import socket
import sys
import time
import warnings
from base64 import b64decode
from pathlib import Path
from typing import Any

from stridekit_course.checks import exercise
from stridekit_course.exercises import find
from stridekit_grading.sandbox import guard, kernel
from stridekit_grading.sandbox.batches import Ahead, make_batches
from stridekit_grading.sandbox.channel import (
    Channel,
    ChannelError,
    pair,
    receive_descriptors,
    requests,
)
from stridekit_grading.sandbox.learner import LearnerProcess, new_chances
from stridekit_grading.sandbox.referee import Referee, make_ready
from stridekit_grading.sandbox.shell import Shell, make_shell

COURSE, OUTER = "course", "outer"
_NOBODY = 65534
# What they make ready, nobody's process has to: pictures, a check that fails.
_FIRST_CELLS = (
    """
import stridekit, torch
given = torch.arange(6).view(2, 3).t()
stridekit.draw({"given": given, "again": stridekit.arange(6).view(2, 3)})
""",
    "stridekit.draw_change(given, lambda t: t.contiguous())",
    "from stridekit_course import check\ncheck.contiguous(lambda tensor: tensor)",
    "check.is_dense(lambda size, stride: True)",
)
# What nearly everybody's process would import by itself otherwise.
_WARM = ("numpy", "numpy.random", "tracemalloc")
# Where anybody names torch, or checks and pictures of ours. Torch takes longer than all else.
_TENSORS = ("torch", "stridekit", "stridekit.tensors.interop.torch")
# Where anybody draws with it. It looks through all fonts first, which takes as long as most else.
_FIGURES = (
    "import matplotlib.pyplot as plt, matplotlib_inline.backend_inline\n"
    'plt.plot([0, 1]); plt.show(); plt.close("all")'
)


def main() -> None:
    """Serve on the two sockets whose numbers are the arguments: orders, and jobs."""
    began = time.perf_counter()
    orders, jobs = (int(each) for each in sys.argv[1:3])
    folder = Path(sys.argv[3])
    for name in (COURSE, OUTER):
        (folder / name).mkdir(mode=0o777, parents=True, exist_ok=True)
        (folder / name).chmod(0o777)
    if os.geteuid() == 0 and str(folder) == guard.INSIDE:
        folder.parent.chmod(0o1777)
        # The root of a machine has no limit to the number of its processes.
        os.setgroups([])
        os.setresgid(_NOBODY, _NOBODY, _NOBODY)
        os.setresuid(_NOBODY, _NOBODY, _NOBODY)
    kernel.die_with_parent()
    channel = Channel.of_descriptor(orders)
    try:
        course = channel.receive()
        ahead = Ahead(channel)
        shell = _warm(**course)
        ours, theirs = requests()
        _fork_learners(theirs, (channel, ahead), jobs, shell, str(folder / OUTER))
        theirs.close()
        kernel.set_dumpable(dumpable=False)
        os.chdir(folder / COURSE)
        plan = ahead.plan()
        trial = _begin_trial(shell, ahead, ours, plan.pop("trial"))
        _prepare(shell, ahead, plan)
        seconds = time.perf_counter() - began
        channel.send({"seconds": seconds, "trial": trial.receive()})
    except ChannelError:
        return
    _serve(shell, socket.socket(fileno=jobs), ours)


def _warm(imports: list[str], attributes: list[str]) -> Shell:
    """A shell, with everything imported that notebooks of the course import, and their checks."""
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
    figures = (_FIGURES,) if any(name.startswith("matplotlib") for name in imports) else ()
    for source in (*figures, *(_FIRST_CELLS if with_tensors else ())):
        shell.run(source)
    new_chances()
    # What is there by now stays, and need not be looked at again.
    gc.freeze()
    shell.reset(new_session=True)
    warnings.resetwarnings()
    return shell


def _fork_learners(
    theirs: socket.socket,
    secret: tuple[Channel | Ahead, ...],
    jobs: int,
    shell: Shell,
    outer: str,
) -> None:
    """Fork what learners' processes are forked from; it drops all over which secrets come."""
    gc.freeze()
    if os.fork():
        return
    gc.enable()
    kernel.die_with_parent()
    for each in secret:
        each.close()
    os.close(jobs)

    def learner(connection: Channel, scratch: str) -> None:
        theirs.close()
        LearnerProcess(shell, connection, scratch).serve()

    # The first traceback takes as long as all that. What the trial needs comes first.
    guard.serve(theirs, learner, outer, meanwhile=lambda: _show_traceback(shell))
    os._exit(0)


def _begin_trial(shell: Shell, ahead: Ahead, ours: socket.socket, job: dict[str, Any]) -> Channel:
    """Fork a referee that knows no tests yet, since its notebook has none."""
    mine, its = map(Channel, pair())
    if os.fork() == 0:
        kernel.die_with_parent()
        mine.close()
        ahead.close()
        _judge(shell, its, ours, job)
        os._exit(0)
    its.close()
    return mine


def _prepare(shell: Shell, ahead: Ahead, plan: dict[str, Any]) -> None:
    """Learn what the tests are, and make ready what they need."""
    exercise.keep_secret(bytes.fromhex(plan["secret"]))
    ahead.take()
    for name, content in plan["files"].items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(b64decode(content))
    sys.path.append(str(Path.cwd()))
    if any("assert" in source for source in plan["tests"]):
        _show_traceback(shell)
    for source in plan["setup"]:
        shell.run(source)
    for source in plan["tests"]:
        make_ready(shell, source)
    make_batches(plan["tests"])
    gc.freeze()
    gc.enable()


def _show_traceback(shell: Shell) -> None:
    shell.run("1 / 0")
    shell.reset(new_session=True)
    gc.freeze()


def _serve(shell: Shell, jobs: socket.socket, ours: socket.socket) -> None:
    """Fork a referee for each job, until nobody sends any more."""
    while True:
        descriptors = receive_descriptors(jobs, 1)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if descriptors is None:
            return
        if os.fork() == 0:
            kernel.die_with_parent()
            jobs.close()
            channel = Channel.of_descriptor(descriptors[0])
            with contextlib.suppress(ChannelError):
                _judge(shell, channel, ours, channel.receive())
            os._exit(0)
        os.close(descriptors[0])


def _judge(shell: Shell, channel: Channel, ours: socket.socket, job: dict[str, Any]) -> None:
    with contextlib.suppress(ChannelError):
        _limit(job["budgets"])
        result = Referee(shell, ours, job).run()
        channel.send(dataclasses.asdict(result))


def _limit(budgets: dict[str, float]) -> None:
    """What a learner gives back may be small to send, and endless to look at."""
    mapped = int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()
    most = mapped + int(budgets["memory"])
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    seconds = int(budgets["notebook"]) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    # What waits for ever takes no processor time. (Checks use the alarm for themselves.)
    faulthandler.dump_traceback_later(
        2 * budgets["notebook_wall"], exit=True, file=os.open(os.devnull, os.O_WRONLY)
    )
