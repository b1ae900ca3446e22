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
from itertools import cycle, groupby, pairwise
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
# What has no name, and what torch's compilers and others write: attrs, beartype, decorator, PyG.
_GENERATED: tuple[str, ...] = ("<frozen", "<string>", "<gone>", "eval_with_key", "codegen(")
_GENERATED += ("torchinductor_", "<attrs", "<@beartype(", "<decorator-gen-", "torch_geometric.nn.")


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
    # IPython 7 has no words for it.
    name = getattr(getattr(shell, "compile", None), "format_code_name", None)
    named = name(file) if name else None
    return named[1] if named else ""


# How the operators are spelled that do an operation, once for each of them; the last ones may do
# several, and so may what is not here.
_SPELLED = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "floor_divide": "//", "pow": "**",
    "remainder": "%", "matmul": "@", "__and__": "&", "__or__": "|", "__xor__": "^", "lt": "<",
    "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=", "index": "[]", "copy": "[]=",
    "fill": "[]=", "index_put": "[]=", "select": "[][]=", "slice": "[][]=", "unsqueeze": "[][]=",
}  # fmt: skip
# What does not go on at the next instruction. A generator that does is called again.
_LEAVING: tuple[str, ...] = ("JUMP_BACKWARD", "JUMP_FORWARD", "RAISE_VARARGS", "RERAISE")
_LEAVING += ("RETURN_CONST", "RETURN_VALUE", "YIELD_VALUE")
_CALLS = ("BEFORE_", "CALL")
# What may do an operation that no operator does: it calls C, and not all such calls are seen.
_ABLE = (*_CALLS, "DICT_", "FOR_ITER", "LIST_EXTEND", "LOAD_ATTR", "SEND", "SET_UPDATE", "UNARY_")
# The line of calls, and how many were seen there on end.
_Calls = tuple[int, int]
# So many operators on end are told apart.
_APART_MOST = 8


def lines_of(file: str, function: str, begin: int, done: list[int | str]) -> list[CodeLine]:
    """The lines of what a function did, which begins at a line, in its order.

    A call is told by its line, which is negative where no instruction of the function made it; and
    what an operator did, such as `@` or `[]`, by its name.
    """
    # Each call's line, with how many calls came there on end.
    made: list[_Calls] = [(begin, 0)]
    for line, same in groupby((each for each in done if isinstance(each, int)), abs):
        run = [*same]
        made += [(line, sum(each > 0 for each in run))] * len(run)
    ways, operators, lines = pairwise([*made, (0, 0)]), list[str](), list[CodeLine]()
    # The size and the time of its text: a module may be edited, and loaded again.
    version = tuple(linecache.cache.get(file, ())[:2])
    for each in (*done, 0):
        if isinstance(each, str):
            operators.append(_SPELLED.get(each.removesuffix("_"), ""))
            continue
        way = next(ways)
        found = {
            name: cycle(_operator_lines(file, version, function, way, name, operators.count(name)))
            for name in set(operators)
        }
        lines += [next(found[name]) for name in operators]
        lines.append(CodeLine(file, way[1][0], function, way[1][0]))
        operators.clear()
    return lines[:-1]


@lru_cache(4096)
def _operator_lines(
    file: str, _version: Any, function: str, way: tuple[_Calls, _Calls], operator: str, seen: int
) -> list[CodeLine]:
    """The lines of what did operations without a call, in turn.

    So many of an operator were `seen` in a function, on the way from a call at one line to one at
    another, 0 where none came. Where all ways give one line, it is certain; else it is told from
    the first to the last, or if the function is not found, near the line before.
    """
    turns = seen if operator not in ("", "[][]=") and seen <= _APART_MOST else 1
    found: list[set[int]] = [set() for _ in range(turns)]
    for flow in _flows(file, "".join(linecache.getlines(file)), function):
        found = [*map(set.union, found, flow.between(*way, operator, turns))]
    near = CodeLine(file, way[0][0], function, 0)
    return [CodeLine(file, min(at), function, max(at)) if at else near for at in found]


class _Flow:
    """A function's instructions by their numbers: the line of each, and what may come after it."""

    def __init__(self, code: CodeType) -> None:
        entries: Any = dis.Bytecode(code)
        self._begin, self._steps = code.co_firstlineno, [*dis.get_instructions(code)]
        self._lines = [(step.positions and step.positions.lineno) or 0 for step in self._steps]
        self._following: list[set[int]] = []
        numbers = {step.offset: n for n, step in enumerate(self._steps)}
        for n, step in enumerate(self._steps):
            after = set() if step.opname.startswith(_LEAVING) else {n + 1}
            if step.opcode in dis.hasjrel or step.opcode in dis.hasjabs:
                after.add(numbers[step.argval])
            caught = (x for x in entries.exception_entries if x.start <= step.offset < x.end)
            self._following.append(after.union(numbers[x.target] for x in caught))

    def between(self, after: _Calls, before: _Calls, operator: str, turns: int) -> list[set[int]]:
        """The lines where so many operators may have run, each in its turn, between two calls."""
        begins = {n for n, line in enumerate(self._lines) if line == after[0]}
        begins |= {0} if after[0] == self._begin else set()
        walls = self._calls(*after) | self._calls(*before)
        able = {n for n, step in enumerate(self._steps) if _may_do(step, operator)} - walls
        ways = [set() if n in walls else each for n, each in enumerate(self._following)]
        ways_back: list[set[int]] = [set() for _ in ways]
        for n, each in enumerate(ways):
            for m in each:
                ways_back[m].add(n)
        # Forward from the one call, then back from the other.
        here = _reached(begins.union(*(self._following[n] for n in begins)), ways)
        found = []
        for _ in range(turns):
            found.append(here & able)
            here = _reached(set().union(*(ways[n] for n in here & able)), ways)
        there = {n for n in here if before[0] in (0, self._lines[n])}
        for each in reversed(found):
            there = _reached(there, ways_back)
            each &= {n for n in each if ways[n] & there}
            there = set(each)
        return [{self._lines[n] for n in each} for each in found]

    def _calls(self, line: int, seen: int) -> set[int]:
        """The calls in a line, if as many were seen on end: nobody passes there unseen.

        A class that is called, such as `range`, is not seen, and in a loop what is seen may be one
        call, time after time. So there it must be the only one.
        """
        names = [(n, self._steps[n].opname) for n, at in enumerate(self._lines) if at == line]
        there = {n for n, name in names if name.startswith(_CALLS) and "INTRINSIC" not in name}
        come_again = (n in _reached(self._following[n], self._following) for n in there)
        return there if len(there) <= (min(seen, 1) if any(come_again) else seen) else set()


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


def _reached(begins: set[int], ways: list[set[int]]) -> set[int]:
    """Where one comes from some numbers, by any ways."""
    reached, waiting = set(begins), list(begins)
    while waiting:
        new = ways[waiting.pop()] - reached
        reached |= new
        waiting += new
    return reached


@lru_cache(64)
def _flows(file: str, text: str, function: str) -> list[_Flow]:
    """All functions of a name in a file."""
    return [_Flow(code) for code in _codes(file, text) if code.co_name == function]


@lru_cache(64)
def _codes(file: str, text: str) -> list[CodeType]:
    """All functions of a file."""
    # A filter of our own, without a call: others would forget which warnings they have shown.
    filters: Any = warnings.filters
    silent = ("ignore", None, Warning, None, 0)
    filters.insert(0, silent)
    try:
        codes = [compile(text, file, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)]
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
            names, at = list[str](), id(module)
            while at in above and len(names) < len(modules):
                at, name = above[at]
                names += [name] * (name != "_orig_mod")
            self._paths[id(module)] = (type(module).__name__, ".".join(reversed(names)))
