"""Where something happened: the line of the user's code, and the module; what is theirs at all."""

import ast
import dis
import gc
import linecache
import os
import site
import sys
import sysconfig
import warnings
from functools import lru_cache
from itertools import cycle, groupby
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
# What torch's compilers write, and what other libraries do: attrs, beartype, decorator, PyG.
_GENERATED: tuple[str, ...] = ("eval_with_key", "codegen(", "torchinductor_")
_GENERATED += ("<attrs generated", "<@beartype(", "<decorator-gen-", "torch_geometric.nn.")


class CodeLine(NamedTuple):
    """A line of a file, in a function; where it is not certain, up to `last`, or if 0, near it."""

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
        lines = lines if self.last else f"near line {self.line}"
        inside = "" if self.function.startswith("<module") else f", in {self.function}"
        return f"{named}, {lines}{inside}"


@lru_cache(4096)
def is_users(file: str) -> bool:
    """Whether a file is the user's: no library's, not the standard library's, not ours."""
    if file.startswith("<frozen") or file in ("<string>", "<gone>"):
        return False
    if is_of_torch(file) or any(name in file for name in (*_GENERATED, *_INSTALLED)):
        return False
    # Of a file that has not been read there may be its loader's promise.
    return file.startswith("<") or len(linecache.cache.get(file, ())) > 1 or Path(file).is_file()


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


# How the operators are spelled that do an operation, once for each of them; the last ones may do
# several, and so may what is not here.
_SPELLED = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "floor_divide": "//", "pow": "**",
    "remainder": "%", "matmul": "@", "__and__": "&", "__or__": "|", "__xor__": "^", "lt": "<",
    "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=", "index": "[]", "copy": "[]=",
    "fill": "[]=", "index_put": "[]=", "select": "[][]=", "slice": "[][]=", "unsqueeze": "[][]=",
}  # fmt: skip
# What calls, and is seen where it calls a function.
_CALLS = ("BEFORE_", "CALL", "FOR_ITER", "SEND")
# What may do an operation that no operator does: it calls C, and not all such calls are seen.
_ABLE = (*_CALLS, "DICT_", "LIST_EXTEND", "LOAD_ATTR", "SET_UPDATE", "UNARY_")
# So many calls on end in a line are told apart.
_APART_MOST = 8


class _Call(NamedTuple):
    """A call that was seen: its line, 0 where none came; its place among so many there, on end."""

    line: int
    place: int
    seen: int


def lines_of(file: str, function: str, begin: int, done: list[int | str]) -> list[CodeLine]:
    """The lines of what a function did, which begins at a line, in its order.

    A call is told by its line, which is negative where no instruction of the function made it; and
    what an operator did, such as `@` or `[]`, by its name.
    """
    calls = list[_Call]()
    for line, same in groupby((each for each in done if isinstance(each, int)), abs):
        run = [*same]
        is_told = len(run) <= _APART_MOST and min(run) > 0
        calls += [
            _Call(line, n, len(run)) if is_told else _Call(line, 0, 0) for n in range(len(run))
        ]
    coming, after = iter([*calls, _Call(0, 0, 0)]), _Call(begin, 0, 0)
    operators, lines = list[str](), list[CodeLine]()
    for each in (*done, 0):
        if isinstance(each, str):
            operators.append(_SPELLED.get(each.removesuffix("_"), ""))
            continue
        before = next(coming)
        found = {
            name: cycle(_operator_lines(file, function, after, before, name, operators.count(name)))
            for name in set(operators)
        }
        lines += [next(found[name]) for name in operators]
        lines.append(CodeLine(file, before.line, function, before.line))
        operators.clear()
        after = before
    return lines[:-1]


@lru_cache(4096)
def _operator_lines(
    file: str, function: str, after: _Call, before: _Call, operator: str, seen: int
) -> list[CodeLine]:
    """The lines of what did operations without a call, in turn.

    So many of an operator were `seen` in a function between two calls. Where no more of that kind
    lie there, and nothing jumps back, it was each of them; where all lie in one line, it was that.
    Else it is told from the first to the last, and if the function is not found, that it is near
    the line before.
    """
    parts = [_between(code, after, before) for code in _codes(file) if code.co_name == function]
    able = [step for steps, _ in parts for step in steps if _may_do(step, operator)]
    at = [_line(step) for step in able]
    if len(at) == seen and operator not in ("", "[][]=") and not any(back for _, back in parts):
        return [CodeLine(file, line, function, line) for line in at]
    return [CodeLine(file, min(at, default=after.line), function, max(at, default=0))]


def _between(code: CodeType, after: _Call, before: _Call) -> tuple[list[dis.Instruction], bool]:
    """The instructions that may have run between two calls; and whether any jumps back there.

    They stand in the order in which they run, but for that.
    """
    steps, loops = _steps(code)
    begins, ends = _places(steps, loops, after), _places(steps, loops, before)
    begins |= {0} if after.line == code.co_firstlineno else set()
    if not begins or not ends:
        return [], False
    first, last, has_back = min(begins), max(ends), False
    # Where it is certain which they are, they are not between themselves.
    first, last = first + (len(begins) == 1), last - (len(ends) == 1)
    for loop in loops:
        if loop[-1] >= first and loop[0] <= last:
            first, last, has_back = min(first, loop[0]), max(last, loop[-1]), True
    return steps[first : last + 1], has_back


@lru_cache(256)
def _steps(code: CodeType) -> tuple[list[dis.Instruction], list[range]]:
    """A function's instructions; and its loops, the inner ones first: they may reach others."""
    steps = [*dis.get_instructions(code)]
    numbers = {step.offset: n for n, step in enumerate(steps)}
    jumping = [n for n, step in enumerate(steps) if step.opcode in (*dis.hasjrel, *dis.hasjabs)]
    loops = (range(numbers[steps[n].argval], n + 1) for n in jumping)
    return steps, sorted(filter(None, loops), key=len)


def _places(steps: list[dis.Instruction], loops: list[range], call: _Call) -> set[int]:
    """Where a call may have been made: if as many were seen as there are in its line, but one."""
    there = {n for n, step in enumerate(steps) if call.line in (0, _line(step))}
    calls = [n for n in sorted(there) if steps[n].opname.startswith(_CALLS)]
    # In a loop what is seen may be one of them, time after time.
    is_certain = call.seen == len(calls) > 0 and not any(there.intersection(loop) for loop in loops)
    return {calls[call.place]} if is_certain else there


def _line(step: dis.Instruction) -> int:
    return (step.positions and step.positions.lineno) or 0


def _may_do(step: dis.Instruction, operator: str) -> bool:
    """Whether an instruction may do what an operator does; if that is empty, any operation."""
    name, spelled = step.opname, step.argrepr.removeprefix("bool(").removesuffix(")")
    if name == "BINARY_OP":
        spelled = spelled.removesuffix("=")
    elif name.startswith(("STORE_SUBSCR", "STORE_SLICE")):
        spelled = "[]="
    elif name.startswith("BINARY_"):
        spelled = "[]"
    elif name != "COMPARE_OP":
        # From Python 3.12 on a method is looked up by the same name.
        return not operator and name.startswith(_ABLE) and "NULL|self" not in step.argrepr
    return operator in ("", spelled) or (operator == "[][]=" and spelled in ("[]", "[]="))


@lru_cache(64)
def _codes(file: str) -> list[CodeType]:
    """All functions of a file."""
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
    """Paths of modules by their addresses.

    The profiler gives a module's address. A path begins at the outermost module that holds it:
    `encoder.layers.3.attn` where the model itself, whose path is empty, has an `encoder`.
    """

    def __init__(self) -> None:
        self._living: WeakValueDictionary[int, nn.Module] = WeakValueDictionary()
        self._paths: dict[int, tuple[str, str]] = {}
        # Whether all modules were looked through since the last slice of a recording.
        self.is_fresh = False

    def path(self, address: int, kind: str) -> str:
        """The path of a module, or that which one of its class had there when it was seen last.

        Before a slice is read, a model may be gone. Without a path it is the name of its class.
        """
        if address not in self._living and not self.is_fresh:
            self._look()
        known, path = self._paths.get(address, ("", ""))
        return (known == kind and path) or kind

    def _look(self) -> None:
        """Look through all living modules."""
        self.is_fresh = True
        modules = living(nn.Module)
        above: dict[int, tuple[int, str]] = {}
        for module in modules:
            for name, child in module.__dict__.get("_modules", {}).items():
                above.setdefault(id(child), (id(module), name))
        self._living.update((id(module), module) for module in modules)
        for module in modules:
            names: list[str] = []
            at = id(module)
            while at in above and len(names) < len(modules):
                at, name = above[at]
                names += [name] * (name != "_orig_mod")
            self._paths[id(module)] = (type(module).__name__, ".".join(reversed(names)))
