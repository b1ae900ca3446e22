"""The bank: right and wrong solutions of every exercise, as learners hand them in.

A file holds what stands in the solution cell. A wrong one begins with a comment that gives
a fragment of the message that it must draw: `# draws: returned (1, 1); expected (2, 1)`.
"""

import importlib.util
from dataclasses import dataclass
from pathlib import Path

from tests import ROOT

BANK = ROOT / "tests" / "bank"


@dataclass(frozen=True)
class Solution:
    """One file of the bank."""

    path: Path

    @property
    def assignment(self):
        """ps1 to ps6."""
        return self.path.parent.parent.name

    @property
    def function(self):
        """Its name, which is the exercise's."""
        return self.path.parent.name

    @property
    def is_right(self):
        """Whether it has to pass."""
        return self.path.name.startswith("right_")

    @property
    def draws(self):
        """The fragments of message that it must draw."""
        lines = self.path.read_text("utf-8").splitlines()
        mark = "# draws: "
        return [line.removeprefix(mark) for line in lines if line.startswith(mark)]

    def cell(self):
        """What a learner would have in the cell."""
        lines = self.path.read_text("utf-8").splitlines()
        return "\n".join(line for line in lines if not line.startswith("# draws: ")).strip()

    def load(self):
        """The function, from a module of its own, so that its source can be read."""
        name = f"bank_{self.assignment}_{self.function}_{self.path.stem}"
        spec = importlib.util.spec_from_file_location(name, self.path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return getattr(module, self.function)

    def __str__(self):
        return f"{self.assignment}/{self.function}/{self.path.stem}"


SOLUTIONS = [Solution(path) for path in sorted(BANK.glob("ps*/*/*.py"))]
RIGHT = [each for each in SOLUTIONS if each.is_right]
WRONG = [each for each in SOLUTIONS if not each.is_right]
