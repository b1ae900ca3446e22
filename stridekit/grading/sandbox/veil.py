"""What a failing test may say in a learner's notebook: nothing of what is hidden in it."""

from stridekit.checks.engine import CheckFailed

_BEGIN, _END = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"


class Veil:
    """Keeps what a hidden test asks and expects out of the notebook."""

    def __init__(self, source: str) -> None:
        self._hidden = _hidden_lines(source)
        self.detail = ""
        self.finding: dict[str, str] | None = None
        self.misses = ""
        """The name that the test did not find."""

    @property
    def hides(self) -> bool:
        """Whether there is anything hidden."""
        return bool(self._hidden)

    def __call__(self, error: BaseException, lines: list[str]) -> list[str]:
        """The lines of a traceback that may be shown."""
        name = type(error).__name__
        if isinstance(error, CheckFailed):
            self.finding = error.finding
        if isinstance(error, NameError):
            self.misses = error.name or ""
        if isinstance(error, CheckFailed) and error.detail:
            self.detail = error.detail
            return lines
        if not self._hidden:
            return lines
        line = _line_in_cell(error)
        if line is None or line in self._hidden:
            self.detail = f"{name}: {error}"
            if isinstance(error, NameError) and error.name:
                return [f"{name}: name {error.name!r} is not defined"]
            return [f"{name}: a hidden test fails."]
        return [f"in line {line} of this cell", f"{name}: {error}"]


def _hidden_lines(source: str) -> frozenset[int]:
    hidden, inside = set(), False
    for number, line in enumerate(source.splitlines(), 1):
        if _BEGIN in line:
            inside = True
        if inside:
            hidden.add(number)
        if _END in line:
            inside = False
    return frozenset(hidden)


def _line_in_cell(error: BaseException) -> int | None:
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_name == "<module>" and trace.tb_frame.f_globals.get("__name__") == "__main__":
            return trace.tb_lineno
        trace = trace.tb_next
    return None
