"""What was found of one thing, as data."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

State = Literal["works", "partly", "fails"]
"""`partly`: the lessons run without it. `fails`: they do not."""
_SIGNS: dict[State, tuple[str, str]] = {
    "works": ("✓", "+"),
    "partly": ("–", "-"),
    "fails": ("✗", "x"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing, in a line."""

    name: str
    state: State
    says: str
    do: str = ""
    """What to do about it, where something can be done."""

    def line(self, encoding: str = "utf-8") -> str:
        """The line, with a sign that the encoding has and the state in words.

        >>> Finding("torch", "fails", "is not installed", "pip install torch").line("ascii")
        'x fails   torch: is not installed. To do: pip install torch'
        """
        sign, plain = _SIGNS[self.state]
        try:
            sign.encode(encoding)
        except (UnicodeEncodeError, LookupError):
            sign = plain
        todo = f". To do: {self.do}" if self.do else ""
        return f"{sign} {self.state:<7} {self.name}: {self.says}{todo}"


def as_data(findings: Sequence[Finding]) -> dict[str, Any]:
    """For programs: whether the lessons work, and all that was found."""
    works = all(each.state != "fails" for each in findings)
    return {"works": works, "findings": [asdict(each) for each in findings]}
