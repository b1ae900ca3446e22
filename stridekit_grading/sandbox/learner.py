"""What a learner's process does: it runs cells, and calls what they define when it is asked to.

All that it says is a stranger's word: a cell may have changed anything in here.
"""

import atexit
import base64
import contextlib
import gc
import os
import random
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stridekit_course.checks import wire
from stridekit_course.checks.calling import Local
from stridekit_course.checks.garbage_collection import without_full_collections
from stridekit_course.checks.limits import Limits
from stridekit_grading.sandbox.channel import Channel, ChannelError, TooLongError
from stridekit_grading.sandbox.shell import Shell

_KEPT = ("LANG", "PATH", "USER", "OMP_NUM_THREADS", "MPLBACKEND", "STRIDEKIT_SHUT_IN")
# Whoever sleeps a little in each call is asked no more after so many seconds: before that counts as
# waiting for something that never comes.
_WALL_IN_ALL = 15.0


class LearnerProcess:
    """One learner's process, from the first cell to the last test."""

    def __init__(self, shell: Shell, channel: Channel, scratch: str) -> None:
        self._shell, self._channel, self._scratch = shell, channel, Path(scratch)
        self._local: Local
        self._is_busy = False
        self._process = os.getpid()
        shell.begin_process()
        signal.signal(signal.SIGINT, self._interrupt)

    def serve(self) -> None:
        """Do what the referee asks for, until it hangs up."""
        with contextlib.suppress(ChannelError):
            while True:
                answer = self._answer(self._channel.receive())
                if os.getpid() != self._process:
                    # A cell has forked it: nobody asks the child for anything.
                    os._exit(0)
                self._send(answer)

    def _interrupt(self, *_: object) -> None:
        """Whoever takes too long is interrupted; between two things nobody is."""
        if self._is_busy:
            raise KeyboardInterrupt

    def _send(self, answer: dict[str, Any]) -> None:
        try:
            self._channel.send(answer)
        except (TooLongError, RecursionError, ValueError):
            self._channel.send({})

    def _answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        does: Callable[[dict[str, Any]], dict[str, Any]] = getattr(self, f"_do_{asked['do']}")
        try:
            self._is_busy = True
            return does(asked)
        except (KeyboardInterrupt, Exception):  # noqa: BLE001 - an answer of some odd kind
            return {}
        finally:
            self._is_busy = False

    def _do_begin(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Lay out the files of the course, and begin with chances of one's own."""
        name = asked["folder"]
        self._scratch /= name
        try:
            self._scratch.mkdir(exist_ok=True)
            os.chdir(self._scratch)
            # `%cd -` leads back to where it began.
            self._shell.user_ns["_dh"][:] = [self._scratch]
            for name, content in asked["files"].items():
                path = self._scratch / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(base64.b64decode(content))
                # Of a file nothing comes along but what is in it, and some are programs.
                path.chmod(0o755)
        except OSError as error:
            return {"problem": f"{error.strerror}: {name}"}
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        os.environ.clear()
        self._shell.home_dir = str(self._scratch)
        os.environ.update(kept, HOME=self._shell.home_dir, TMPDIR=self._shell.home_dir)
        # By it cells know, as in nbgrader, that they are graded.
        os.environ["NBGRADER_EXECUTION"] = "autograde"
        self._shell.is_seen = asked["is_shown"]
        if not asked["is_shown"]:
            # Nobody reads the tracebacks, which take most of what failing work takes.
            self._shell.InteractiveTB.set_mode("Minimal")
        # Files of the course are found, but hide nothing that is installed.
        sys.path.append(str(self._scratch))
        new_chances()
        return {}

    def _do_end(self, _: dict[str, Any]) -> dict[str, Any]:
        """Nothing more will be run here, and another notebook reads what this one has written."""
        atexit._run_exitfuncs()  # noqa: SLF001
        gc.collect()
        return {}

    def _do_cell(self, asked: dict[str, Any]) -> dict[str, Any]:
        outputs = self._shell.run(asked["source"])
        return {"outputs": outputs, "quit": self._shell.has_quit}

    def _do_look(self, asked: dict[str, Any]) -> dict[str, Any]:
        """A check begins, of what has this name: what it is, and which calls stand in it."""
        if asked["name"] not in self._shell.user_ns:
            return {}
        function = self._shell.user_ns[asked["name"]]
        self._local = Local(function, Limits(wall=asked["wall"], total_wall=_WALL_IN_ALL))
        calls = wire.told(tuple(self._local.read()))
        return {"is": type(function).__name__, "called": callable(function), "told": calls}

    def _do_run(self, asked: dict[str, Any]) -> dict[str, Any]:
        with without_full_collections():
            cases = wire.decode_cases(asked["cases"])
            run = self._shell.context.run(
                self._local.run, cases, asked["watch"], closely=asked["closely"]
            )
            told = wire.told(run)
            # What came of it is gone again before anybody looks what may go.
            del cases, run
            return {"told": told}


def new_chances() -> None:
    """A kernel that starts has its own; what was forked has its parent's."""
    random.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(random.getrandbits(32))
    if "torch" in sys.modules:
        # Its `manual_seed` goes on to all kinds of devices, of which there is none here.
        sys.modules["torch"].default_generator.manual_seed(random.getrandbits(62))
