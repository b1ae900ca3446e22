"""The bank: right and wrong solutions of every exercise, as learners hand them in.

`psN/<function>.py` holds them in the percent format. A cell begins with what it is and does,
`# %% right: loop`, `# %% wrong: adds to zeros` or `# %% wrong, usual: reversed`. A wrong one goes
on with fragments of the message that it must draw: `# draws: returned (1, 1); expected (2, 1)`.
What a `Mistake` of the exercise does in the same way stands there alone.
"""

import linecache
import re
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

CELL = re.compile(r"^# %% (right|wrong, usual|wrong): (.+)\n((?:# draws: .+\n)*)", re.MULTILINE)


class Solution(NamedTuple):
    """One cell of the bank: whose it is, what it is, its code, and what it must draw."""

    assignment: str
    function: str
    kind: str
    title: str
    code: str
    draws: tuple[str, ...]

    def load(self) -> Any:
        """The function, from a namespace of its own; its source can be read, as a notebook's."""
        name = f"bank of {self}"
        linecache.cache[name] = len(self.code), None, self.code.splitlines(keepends=True), name
        module = ModuleType(name)
        exec(compile(self.code, name, "exec"), vars(module))
        return getattr(module, self.function)

    def __str__(self) -> str:
        return f"{self.assignment}/{self.function} {self.kind}: {self.title}"


@cache
def solutions(assignment: str = "ps*", function: str = "*") -> tuple[Solution, ...]:
    """Those of an assignment's function, in the order in which they stand; or those of all."""
    found = []
    for path in sorted(Path(__file__).parent.glob(f"{assignment}/{function}.py")):
        _, *cells = CELL.split(path.read_text("utf-8"))
        found += [
            Solution(
                *(path.parent.name, path.stem, kind, title, code.strip() + "\n"),
                tuple(line.removeprefix("# draws: ") for line in draws.splitlines()),
            )
            for kind, title, draws, code in zip(*[iter(cells)] * 4, strict=True)
        ]
    return tuple(found)
