"""Where something happened: the line of the user's code, and his module; what is his at all."""

import ast
import dis
import gc
import linecache
import os
import site
import sys
import sysconfig
import warnings
from bisect import bisect
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import torch
from torch import nn

TORCH = os.path.dirname(torch.__file__) + os.sep  # noqa: PTH120 - as frames have it
# The standard library, and stridekit itself, be it installed or not.
_NEVER_USERS = (
    *{str(Path(sysconfig.get_path(name))) + os.sep for name in ("stdlib", "platstdlib")},
    str(Path(__file__).resolve().parent.parent) + os.sep,
)
# What pip installs, wherever it does.
_INSTALLED = ("site-packages", "dist-packages")
# What torch's compilers write.
_GENERATED = ("eval_with_key", "codegen(", "torchinductor_")


class CodeLine(NamedTuple):
    """A line of a file, in a function; up to `last`, where it is not certain which of them."""

    file: str
    line: int
    function: str
    last: int

    @property
    def code(self) -> str:
        """The text of the line; empty where its source is gone, or it is not certain."""
        return linecache.getline(self.file, self.line).strip() if self.last == self.line else ""

    @property
    def where(self) -> str:
        """The line as one says it: the cell of a notebook, or the file's name."""
        named = cell_name(self.file) or Path(self.file).name
        lines = f"line {self.line}" if self.last == self.line else f"lines {self.line}-{self.last}"
        inside = "" if self.function.startswith("<module") else f", in {self.function}"
        return f"{named}, {lines}{inside}"


@lru_cache(4096)
def is_users(file: str) -> bool:
    """Whether a file is the user's: no library's, not the standard library's, not ours."""
    if (
        file.startswith("<frozen")
        or file in ("<string>", "<gone>")
        or any(g in file for g in _GENERATED)
    ):
        return False
    if is_of_torch(file) or any(name in file for name in _INSTALLED):
        return False
    return file.startswith("<") or file in linecache.cache or Path(file).is_file()


@lru_cache(4096)
def is_of_torch(file: str) -> bool:
    """Whether a file is torch's, the standard library's or ours, wherever these lie."""
    # A virtual environment may lie inside of the folder of the standard library.
    installed = any(name in file for name in _INSTALLED)
    return file.startswith(TORCH) or (file.startswith(_NEVER_USERS) and not installed)


def package_of(file: str) -> str:
    """The folder of the package that a file belongs to, with the separator; its own where none."""
    folder = Path(file).parent
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return str(folder) + os.sep


@lru_cache(4096)
def full_name(file: str) -> str:
    """A file's whole name, where torch's profiler has cut off the folder that it was found in."""
    if file.startswith("<") or Path(file).is_absolute():
        return file
    for folder in (*sys.path, *site.getsitepackages(), site.getusersitepackages()):
        name = os.path.abspath(os.path.join(folder, file))  # noqa: PTH100, PTH118 - as frames do
        if Path(name).exists():
            return name
    return file


def cell_name(file: str) -> str:
    """What IPython calls the cell that a file stands for, such as `In[3]`; empty for others."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    compiler = getattr(shell, "compile", None)
    named = compiler.format_code_name(file) if compiler else None
    return named[1] if named else ""


# How the operators are spelled that do an operation; one that is not here may be any.
_SPELLED = {"add": "+", "div": "/", "matmul": "@", "mul": "*", "sub": "-", "index": "[]"} | (
    dict.fromkeys(("copy", "fill", "index_put"), "[]=")
)
_OPERATORS = ("BINARY_", "COMPARE_OP", "STORE_SUBSCR", "STORE_SLICE")
# Where a function begins or goes on, and where it calls another.
_CALLS = ("BEFORE_WITH", "CALL", "RESUME")


@lru_cache(4096)
def operator_lines(
    file: str, function: str, after: int, before: int, operation: str, seen: int
) -> list[CodeLine]:
    """The lines of operators, such as `@` or `[]`: so many were `seen` between two calls.

    They are no calls that a profiler sees. They ran in a function after a call at one line, and
    before one at another; 0 where none came. Where just as many are written right between two such
    calls, or may have run between them and no loop goes round, these are their lines, in turn.
    Otherwise there is one for all, which is certain where all that may have run are written in it.
    """
    lines = [after, before or after]
    for code in reversed(_codes(file)):
        if code.co_name == function and after in {line for _, _, line in code.co_lines()}:
            between, around, has_loops = _operators_in(code, after, before, operation)
            is_straight = before == 0 or after < before
            for all_of_them in (between if is_straight else [], [] if has_loops else around):
                if len(all_of_them) == seen:
                    return [CodeLine(file, line, function, line) for line in all_of_them]
            lines = (between if is_straight and len(between) > seen else around) or lines
            break
    return [CodeLine(file, min(lines), function, max(lines))]


def _operators_in(
    code: CodeType, after: int, before: int, operation: str
) -> tuple[list[int], list[int], bool]:
    """The lines of the operators right between two calls; and of all from the one to the other.

    The second with the loops there, which may have gone round, and whether there are any. Some
    calls are not seen, such as `range(3)`, or not made.
    """
    steps = [*dis.get_instructions(code)]
    lines = {step.offset: (step.positions and step.positions.lineno) or 0 for step in steps}
    operators = [step.offset for step in steps if _does(step, operation)]
    calls = [step.offset for step in steps if step.opname.startswith(_CALLS)]
    between = []
    for operator in operators:
        place = bisect(calls, operator)
        following = lines[calls[place]] if place < len(calls) else 0
        if (lines[calls[place - 1]], following) == (after, before):
            between.append(lines[operator])
    begins = min(offset for offset in lines if lines[offset] == after)
    ends = max(offset for offset in lines if lines[offset] == before or not before)
    # Where each loop begins, and where it goes back for the last time.
    loops = {step.argval: step.offset for step in steps if "JUMP_BACKWARD" in step.opname}
    first, last = min(begins, ends), max(begins, ends)
    there = [(low, high) for low, high in loops.items() if low <= last and first <= high]
    if before == 0 or after < before:
        # What is around both goes round by way of calls.
        there = [(low, high) for low, high in there if first < low or high < last]
    low, high = min([first, *(low for low, _ in there)]), max([last, *(high for _, high in there)])
    around = [lines[operator] for operator in operators if low <= operator <= high]
    return between, around, bool(there)


def _does(step: dis.Instruction, operation: str) -> bool:
    """Whether an instruction is an operator that does an operation, as far as is known."""
    if not step.opname.startswith(_OPERATORS):
        return False
    slot = "[]=" if step.opname.startswith("STORE") else "[]"
    named = step.opname in ("BINARY_OP", "COMPARE_OP")
    spelled = step.argrepr.removesuffix("=") if named else slot
    return _SPELLED.get(operation.removesuffix("_"), spelled) == spelled


@lru_cache(64)
def _codes(file: str) -> list[CodeType]:
    """All code of a file; what is made inside of another comes after it."""
    # A filter of our own, without a call: others would forget which warnings they have shown.
    filters: Any = warnings.filters
    silent = ("ignore", None, Warning, None, 0)
    filters.insert(0, silent)
    try:
        text, flags = "".join(linecache.getlines(file)), ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        codes = [compile(text, file, "exec", flags, dont_inherit=True)]
    except (SyntaxError, ValueError):
        return []
    finally:
        filters.remove(silent)
    for code in codes:
        codes += [each for each in code.co_consts if isinstance(each, CodeType)]
    return codes


def living(kind: type) -> list[Any]:
    """All objects of a class that live, by Python's garbage collection.

    Those that pretend to be of another class are not asked.
    """
    return [x for x in gc.get_objects() if issubclass(type(x), kind)]


class ModuleNames:
    """Paths of modules by their addresses, as far as they live.

    The profiler gives a module's address. A path begins at the outermost module that holds it:
    `encoder.layers.3.attn` where the model itself, whose path is empty, has an `encoder`.
    """

    def __init__(self) -> None:
        self._living: WeakValueDictionary[int, nn.Module] = WeakValueDictionary()
        self._paths: dict[int, str] = {}
        # Whether all modules were looked through since the last slice of a recording.
        self.is_fresh = False

    def path(self, address: int, kind: str) -> str:
        """The path of a module; the name of its class where it has none, or lives no more."""
        if address not in self._living and not self.is_fresh:
            self._look()
        is_it = type(self._living.get(address)).__name__ == kind
        return (is_it and self._paths[address]) or kind

    def _look(self) -> None:
        """Look through all living modules."""
        self.is_fresh = True
        modules = living(nn.Module)
        above: dict[int, tuple[int, str]] = {}
        for module in modules:
            for name, child in module.__dict__.get("_modules", {}).items():
                above.setdefault(id(child), (id(module), name))
        self._living.update((id(module), module) for module in modules)
        for at in map(id, modules):
            names: list[str] = []
            address = at
            while at in above and len(names) < len(modules):
                at, name = above[at]
                names += [name] * (name != "_orig_mod")
            self._paths[address] = ".".join(reversed(names))
