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
import weakref
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

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
# Where a function begins or goes on, and where it calls another; and where a way through it ends.
_CALLS = ("BEFORE_WITH", "CALL", "RESUME")
_LEAVES = ("RAISE", "RERAISE", "RETURN_CONST", "RETURN_VALUE", "YIELD_VALUE")
_JUMPS = ("JUMP_BACKWARD", "JUMP_FORWARD")


class Gap(NamedTuple):
    """Where an operator ran: in a function, after a call at one line and before one at another.

    `before` is 0 where no call came. `total` operations of that name were seen between the two,
    and it is the one of that `number`.
    """

    after: int
    before: int
    operation: str
    number: int
    total: int


def operators_line(file: str, function: str, gap: Gap) -> CodeLine:
    """The line of an operator, such as `@` or `[]`, which is no call that a profiler sees.

    It lies on a way through the function's bytecode from the one call to the other. Where just
    as many operators lie there as were seen, or all of them in one line, the line is certain;
    else it is one of several.
    """
    after, before, operation, number, total = gap
    lines = _operators_between(file, function, after, before, operation)
    if len(lines) == total:
        lines = lines[number : number + 1]
    return CodeLine(file, min(lines), function, max(lines))


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


@lru_cache(4096)
def _operators_between(
    file: str, function: str, after: int, before: int, operation: str
) -> list[int]:
    """The lines of the operators that may have run there; of the calls where none is found."""
    for code in reversed(_codes(file)):
        if code.co_name == function and after in {line for _, _, line in code.co_lines()}:
            return _operators_in(code, after, before, operation) or [after, before or after]
    return [after, before or after]


def _operators_in(code: CodeType, after: int, before: int, operation: str) -> list[int]:
    """The lines of the operators on a way between two lines, in the order of the code."""
    steps = {step.offset: step for step in dis.get_instructions(code)}
    onward: dict[int, list[int]] = {offset: [] for offset in steps}
    for (offset, step), following in zip(steps.items(), [*steps][1:], strict=False):
        if not step.opname.startswith((*_LEAVES, *_JUMPS)):
            onward[offset].append(following)
        if step.opcode in dis.hasjrel or step.opcode in dis.hasjabs:
            onward[offset].append(step.argval)
    lines = {o: (step.positions and step.positions.lineno) or 0 for o, step in steps.items()}
    calls = {offset for offset, step in steps.items() if step.opname.startswith(_CALLS)}

    def at(line: int) -> set[int]:
        there = {offset for offset in steps if lines[offset] == line}
        return there & calls or there

    # A call of a class, such as `range(3)`, is not always seen. So where nothing is found else,
    # the way may lead through other calls.
    operators = [offset for offset, step in steps.items() if _does(step, operation)]
    for ends in (calls, set[int]()):
        ways = _reached(at(after), onward, ends)
        found = [offset for offset in operators if offset in ways]
        if before:
            found = [o for o in found if at(before) & _reached({o}, onward, ends)]
        if found:
            return [lines[offset] for offset in found]
    return []


def _reached(begins: set[int], ways: dict[int, list[int]], ends: set[int]) -> set[int]:
    """What is reached from some places, and not past others."""
    reached, waiting = set(begins), list(begins)
    while waiting:
        for each in ways[waiting.pop()]:
            if each not in reached:
                reached.add(each)
                if each not in ends:
                    waiting.append(each)
    return reached


def _does(step: dis.Instruction, operation: str) -> bool:
    """Whether an instruction is an operator that does an operation, as far as is known."""
    if not step.opname.startswith(_OPERATORS):
        return False
    slot = "[]=" if step.opname.startswith("STORE") else "[]"
    named = step.opname in ("BINARY_OP", "COMPARE_OP")
    spelled = step.argrepr.removesuffix("=") if named else slot
    return _SPELLED.get(operation.removesuffix("_"), spelled) == spelled


def living(kind: type, ages: Iterable[int | None] = (None,)) -> list[Any]:
    """All objects of a class that live, or those of some ages, by Python's garbage collection.

    Those that pretend to be of another class are not asked.
    """
    return [x for age in ages for x in gc.get_objects(age) if issubclass(type(x), kind)]


class ModuleNames:
    """Paths of modules by their addresses, as far as they live.

    The profiler gives a module's address. A path begins at the outermost module that holds it:
    `encoder.layers.3.attn` where the model itself, whose path is empty, has an `encoder`.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref[nn.Module], str]] = {}
        # Whether all modules were looked through since the last slice of a recording.
        self.is_fresh = False

    def path(self, address: int, kind: str) -> str:
        """The path of a module; the name of its class where it has none, or lives no more."""
        if not (self._is_known(address, kind) or self.is_fresh):
            self._look()
        return self._known[address][1] or kind if self._is_known(address, kind) else kind

    def _is_known(self, address: int, kind: str) -> bool:
        ref, _ = self._known.get(address, (None, ""))
        return ref is not None and type(ref()).__name__ == kind

    def _look(self) -> None:
        """Look through all living modules."""
        self.is_fresh = True
        modules = living(nn.Module)
        above: dict[int, tuple[nn.Module, str]] = {}
        for module in modules:
            for name, child in module.__dict__.get("_modules", {}).items():
                above.setdefault(id(child), (module, name))
        self._known = {}
        for module in modules:
            names: list[str] = []
            at = module
            while id(at) in above and len(names) < len(modules):
                at, name = above[id(at)]
                names.append(name)
            path = ".".join(name for name in reversed(names) if name != "_orig_mod")
            self._known[id(module)] = (weakref.ref(module), path)
