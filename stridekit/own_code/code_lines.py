"""Where in the user's code something happened: the innermost line that is no library's."""

import linecache
import sys
import sysconfig
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import NamedTuple

# Libraries lie in these folders; stridekit itself in the last, be it installed or not.
_LIBRARIES = tuple(
    {
        *(str(Path(sysconfig.get_path(name))) for name in ("stdlib", "purelib", "platlib")),
        str(Path(__file__).resolve().parent.parent),
    }
)
_COMPILER = f"{Path('torch', '_dynamo')}"


class CodeLine(NamedTuple):
    """A line of a file, in a function."""

    file: str
    line: int
    function: str

    @property
    def code(self) -> str:
        """The text of the line; empty where its source is gone."""
        return linecache.getline(self.file, self.line).strip()

    @property
    def where(self) -> str:
        """The line as one says it: the cell of a notebook, or the file's name."""
        named = cell_name(self.file) or Path(self.file).name
        inside = "" if self.function.startswith("<module") else f", in {self.function}"
        return f"{named}, line {self.line}{inside}"


@lru_cache(4096)
def is_users(file: str) -> bool:
    """Whether a file is the user's: no library's, not the standard library's, not ours."""
    if file.startswith("<frozen") or file == "<string>":
        return False
    return not file.startswith(_LIBRARIES)


def users_line(frame: FrameType | None) -> CodeLine:
    """The innermost place of the user's, from a frame outwards.

    Where all of it is libraries, the outermost place.
    """
    while frame is not None:
        code = frame.f_code
        if is_users(code.co_filename) or frame.f_back is None:
            return CodeLine(code.co_filename, frame.f_lineno, code.co_qualname)
        frame = frame.f_back
    return CodeLine("", 0, "<module>")


def calls_compiled(frame: FrameType | None) -> CodeLine | None:
    """The user's line that calls a function under `torch.compile`, from a frame outwards."""
    while frame is not None:
        code = frame.f_code
        if _COMPILER in code.co_filename and code.co_qualname.startswith("_TorchDynamoContext"):
            return users_line(frame)
        frame = frame.f_back
    return None


def cell_name(file: str) -> str:
    """What IPython calls the cell that a file stands for, such as `In[3]`; empty for others."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    compiler = getattr(shell, "compile", None)
    named = compiler.format_code_name(file) if compiler else None
    return named[1] if named else ""
