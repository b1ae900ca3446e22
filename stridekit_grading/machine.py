"""Runs notebooks on this machine: a warm server, tried before the first of them."""

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from stridekit.errors import CommandError
from stridekit_grading.isolation import try_out
from stridekit_grading.sandbox.channel import ChannelError
from stridekit_grading.sandbox.launch import Server, Told

# So many may wait beside those that compute; each may hold as much memory as others.
SLEEPERS_MOST = 16
Ran = list[Told]
"""What came of each notebook of a submission; the last for all the rest, where it ended there."""


class Machine:
    """This one; and what whoever else runs notebooks has to offer."""

    def __init__(self, imports: list[str], *, jobs: int, trust: bool) -> None:
        """Start its server, which takes a while."""
        self._jobs = jobs
        self._asleep: set[int] = set()
        self._threads = ThreadPoolExecutor(jobs + SLEEPERS_MOST)
        self._server = Server(imports, trust=trust)

    @property
    def places(self) -> int:
        """How many may run now: who waits takes no place from who computes."""
        return self._jobs + min(len(self._asleep), SLEEPERS_MOST)

    def prepare(self, plan: dict[str, Any], folder: Path) -> None:
        """Have everything ready; nothing in `folder` may be reached. Raises CommandError."""
        try_out(self._server, plan, folder)

    def submit(self, job: dict[str, Any]) -> "Future[Ran]":
        """Have a submission run."""
        return self._threads.submit(self._run, job)

    def _run(self, job: dict[str, Any]) -> Ran:
        def sleeps(is_asleep: bool) -> None:
            (self._asleep.add if is_asleep else self._asleep.discard)(id(job))

        try:
            return self._server.run(job, sleeps)
        except ChannelError as error:
            raise CommandError(
                f"the server that runs notebooks has ended: {self._server.complaint()}. What was "
                "graded is entered; run the same command again to go on."
            ) from error
        finally:
            sleeps(False)

    def result(self, future: "Future[Ran]") -> Ran:
        """What came of one that is over. Raises CommandError."""
        return future.result()

    def look(self) -> None:
        """See whether anything can still come. Raises CommandError."""

    def close(self) -> None:
        """End all that was started."""
        self._server.close()
        self._threads.shutdown()
