"""Whether learners' code can be shut in here, so that a class can be graded."""

import dataclasses
import sys
import tempfile
from pathlib import Path

from stridekit.doctor.finding import Finding
from stridekit.errors import CommandError


def sandbox(platform: str = sys.platform) -> Finding:
    """How well, as it is tried before a class is graded."""
    if platform != "linux":
        do = "to grade a class, use a server, a container, or WSL 2"
        return Finding("grading", "partly", "it needs Linux", do)
    try:
        return Finding("grading", "works", _tried())
    except CommandError as error:
        # Its sentence says what to do.
        return Finding("grading", "partly", str(error).rstrip("."))


def _tried() -> str:
    from stridekit.grading.canary import level_of
    from stridekit.grading.machine import start, try_out
    from stridekit.grading.sandbox.supervision import Budgets

    nothing = {"secret": "", "files": {}, "setup": [], "tests": [], "trust": False}
    server = start([], [], trust=False)
    try:
        with tempfile.TemporaryDirectory(prefix="stridekit-doctor-") as name:
            folder = Path(name)
            (folder / "secret").write_text("a secret")
            plan = {**nothing, "budgets": dataclasses.asdict(Budgets())}
            _, isolation = try_out(server, plan, folder)
    finally:
        server.close()
    return level_of(isolation)
