"""What is handed in by odd and by bad people, and what must come of it.

Each entry is right work in all functions of a small assignment, or of a smaller one that has two of
the four, but for what it changes. `lost` are the points that it must lose, `status` how it must
end, `said` a pattern in its reasons or failures.
"""

import copy
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NOTEBOOK = "walk"
FUNCTIONS = ("isContiguous", "contiguity_trace", "contiguous", "halves")
# One that a check asks, and one that plain tests ask: most entries are about no more.
FEW_FUNCTIONS = ("contiguity_trace", "halves")
ASSIGNMENTS = {"odd": FUNCTIONS, "smaller": FEW_FUNCTIONS}
# Stands in the hidden tests and nowhere else: an input, and what is expected of it.
HIDDEN_INPUT, HIDDEN_EXPECTED = "-19.265625", "-9.6328125"
GRADED, PARTLY, HUMAN = "graded", "partly graded", "needs a human"
BOTH = "visible", "hidden"

RIGHT = {
    "isContiguous": """
def isContiguous(tensor):
    expected = 1
    if tensor.numel() == 0:
        return True
    for n, stride in zip(reversed(tensor.shape), reversed(tensor.stride())):
        if n != 1 and stride != expected:
            return False
        expected *= n
    return True
""",
    "contiguity_trace": """
def contiguity_trace(size, stride):
    steps, expected = [], 1
    for dim in range(len(size) - 1, -1, -1):
        if size[dim] != 1:
            ok = stride[dim] == expected
            steps.append((dim, stride[dim], expected, ok))
            if not ok:
                break
            expected *= size[dim]
    return steps
""",
    "contiguous": """
def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.empty(tensor.size(), dtype=tensor.dtype).copy_(tensor)
""",
    "halves": """
def halves(values):
    return np.array(values, dtype=np.float64) / 2
""",
}
RIGHT = {name: text.strip() for name, text in RIGHT.items()}
TRACE, HALVES = RIGHT["contiguity_trace"], RIGHT["halves"]
WRONG_TRACE = "def contiguity_trace(size, stride):\n    return []"
WRONG_HALVES = "def halves(values):\n    return np.zeros(len(values))"

Notebook = dict[str, Any]


@dataclass(frozen=True)
class Entry:
    """One learner, and what must come of what he hands in."""

    name: str
    group: str
    cells: dict[str, str] = field(default_factory=dict)
    """Solution cells that say something else, by their function."""
    first: str = ""
    """A cell of his own, before all that he writes."""
    last: str = ""
    """One behind everything."""
    edit: Callable[[Notebook], Any] | None = None
    """What else is done to the notebook; it may give another."""
    place: Callable[[Path], None] | None = None
    """What is done to the folder, once the notebook lies there."""
    write: Callable[[Notebook], bytes] | None = None
    files: dict[str, str] = field(default_factory=dict)
    status: str = GRADED
    lost: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Which tests of a function get nothing."""
    undecided: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Which tests nobody has decided."""
    said: str = ""
    tried: bool = False
    """It prints TRIED when it has tried, and STOLEN where it has got something."""
    shows: str = ""
    """What stands in its outputs: a pattern."""
    limit: str = ""
    """Why an attempt that succeeds cannot be prevented: this is what happens, not a wish."""
    budgets: str = "usual"
    """Which it is run with: see BUDGETS in `test_catalogue.py`."""

    @property
    def assignment(self) -> str:
        """What it is handed in to."""
        is_of_few = {*self.cells, *self.lost, *self.undecided} <= {*FEW_FUNCTIONS}
        return "smaller" if is_of_few and self.group not in ("structure", "files") else "odd"

    def points(self) -> dict[str, float | None]:
        """By test cell."""
        points: dict[str, float | None] = dict(most(self.assignment))
        for name, kinds in self.lost.items():
            points |= {f"test-{name}-{kind}": 0.0 for kind in kinds}
        for name, kinds in self.undecided.items():
            points |= {f"test-{name}-{kind}": None for kind in kinds}
        return points


def most(assignment: str) -> dict[str, float]:
    """The points of its test cells."""
    points = {"visible": 2.0, "hidden": 3.0}
    functions = ASSIGNMENTS[assignment]
    return {f"test-{name}-{kind}": n for kind, n in points.items() for name in functions}


def grade_id(cell: Notebook) -> str:
    """What nbgrader calls a cell."""
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def cell_of(notebook: Notebook, name: str) -> Notebook:
    """The cell that nbgrader calls so."""
    return next(cell for cell in notebook["cells"] if grade_id(cell) == name)


def tests_of(notebook: Notebook) -> list[Notebook]:
    """The test cells."""
    return [cell for cell in notebook["cells"] if grade_id(cell).startswith("test-")]


def code(source: str, cell_id: str) -> Notebook:
    """A cell of a learner's own."""
    return {
        "cell_type": "code",
        "id": cell_id,
        "metadata": {},
        "source": source,
        "outputs": [],
        "execution_count": None,
    }


def markdown(source: str, cell_id: str) -> Notebook:
    """A note."""
    return {"cell_type": "markdown", "id": cell_id, "metadata": {}, "source": source}


def handed_in(entry: Entry, released: Notebook, marks: dict[str, str]) -> bytes:
    """The notebook file of an entry. `marks` are put in where a cell says @MARK@."""
    notebook = copy.deepcopy(released)

    def text(source: str) -> str:
        for mark, value in marks.items():
            source = source.replace(f"@{mark}@", value)
        return source.strip("\n")

    for name in ASSIGNMENTS[entry.assignment]:
        cell_of(notebook, name)["source"] = text(entry.cells.get(name, RIGHT[name]))
    if entry.first:
        notebook["cells"].insert(1, code(text(entry.first), "my-first"))
    if entry.last:
        notebook["cells"].append(code(text(entry.last), "my-last"))
    if entry.edit is not None:
        changed = entry.edit(notebook)
        notebook = changed if isinstance(changed, dict) else notebook
    if entry.write is not None:
        return entry.write(notebook)
    return json.dumps(notebook).encode()


ALL: list[Entry] = []


def entry(name: str, group: str, **rest: Any) -> None:
    """One more."""
    ALL.append(Entry(name, group, **rest))


def _of_trace(source: str) -> dict[str, Any]:
    return {"cells": {"contiguity_trace": source}}


_LOST_TRACE = {"lost": {"contiguity_trace": BOTH}}
_LOST_HALVES = {"lost": {"halves": BOTH}}
_BAD_TRACE = {"cells": {"contiguity_trace": WRONG_TRACE}, **_LOST_TRACE}
_BAD_HALVES = {"cells": {"halves": WRONG_HALVES}, **_LOST_HALVES}

# --- Legitimate, however odd: full marks.


def _fair(name: str, **rest: Any) -> None:
    entry(name, "fair", **rest)


_fair("plain")
_fair(
    "warns-and-logs",
    **_of_trace(
        "import logging, sys, warnings\n"
        + TRACE.replace(
            "    steps, expected",
            "    warnings.warn('hm'); logging.warning('%s', size); print('x', file=sys.stderr)\n"
            "    steps, expected",
        )
    ),
    first="import logging, warnings\nlogging.basicConfig(level=0)\nwarnings.warn('a warning')",
)
_fair("prints", **_of_trace(TRACE.replace("    steps, exp", "    print(size)\n    steps, exp")))
_fair(
    "prints-in-plain-tests",
    cells={"halves": HALVES.replace("    return", "    print(values)\n    return")},
)
_fair(
    "figures",
    first="import matplotlib.pyplot as plt\nplt.style.use('dark_background')\n"
    "plt.rcParams['font.size'] = 20\nplt.plot([1, 2]); plt.show()",
    last="%matplotlib inline\nplt.imshow([[1, 2], [3, 4]]);",
    budgets="patient",
)
_fair(
    "magics",
    first="%timeit -n 1 -r 1 sum(range(10))\n%load_ext autoreload\n%autoreload 2\n!ls\n%pwd\n"
    "!echo $HOME",
    last="%%capture out\nprint('nothing to see')",
)
_fair("timed-cell", **_of_trace("%%time\n" + TRACE))
_fair(
    "awaits",
    first="import asyncio\nawait asyncio.sleep(0)\nasync def nap():\n"
    "    await asyncio.sleep(0.01)\n    return 1\nawait nap()",
)
_fair(
    "widgets",
    first="import ipywidgets as widgets\nfrom IPython.display import display\n"
    "s = widgets.IntSlider(); display(s)\n"
    "out = widgets.Output()\nwith out:\n    print('inside')\nout",
)
_fair(
    "display-updates",
    first="from IPython.display import clear_output, display, HTML\n"
    "h = display('a', display_id=True); h.update('b'); clear_output(wait=True)\n"
    "display(HTML('<b>x</b>'))",
)
_WITH_SAME = _of_trace(TRACE.replace("stride[dim] == expected", "same(stride[dim], expected)"))
_fair("helper-cell", first="def same(a, b):\n    return a == b", **_WITH_SAME)


def _without_examples(notebook: Notebook) -> None:
    notebook["cells"] = [
        cell for cell in notebook["cells"] if grade_id(cell) or cell["id"] == "setup"
    ]


def _with_notes(notebook: Notebook) -> None:
    note = markdown("# My notes ✍️\n\n![](attachment:a.png)", "note-1")
    note["attachments"] = {"a.png": {"image/png": "iVBORw0KGgo="}}
    notebook["cells"][3:3] = [note, {**markdown("raw text", "note-2"), "cell_type": "raw"}]


def _reordered(notebook: Notebook) -> None:
    """The last function with its tests first."""
    cells = notebook["cells"]
    last = [cell for cell in cells if "halves" in grade_id(cell)]
    notebook["cells"] = [*cells[:2], *last, *(cell for cell in cells[2:] if cell not in last)]


_fair("examples-deleted", edit=_without_examples)
_fair("notes-and-attachments", edit=_with_notes)
_fair("reordered", edit=_reordered)
_fair(
    "decorated",
    **_of_trace(
        "import functools\ndef loud(f):\n    @functools.wraps(f)\n    def inner(*a, **k):\n"
        "        return f(*a, **k)\n    return inner\n\n@functools.lru_cache(None)\n"
        "def unused(): pass\n\n@loud\n" + TRACE
    ),
)
_fair(
    "object-with-call",
    **_of_trace(
        TRACE.replace("contiguity_trace", "walk")
        + "\n\nclass Walker:\n    def __call__(self, size, stride):\n"
        "        return walk(size, stride)\n\ncontiguity_trace = Walker()"
    ),
)
_fair(
    "partial",
    **_of_trace(
        "from functools import partial\ndef walk(extra, size, stride):\n"
        + TRACE.partition("\n")[2]
        + "\ncontiguity_trace = partial(walk, None)"
    ),
)
_fair(
    "bound-method",
    **_of_trace(
        "class Walk:\n    def go(self, size, stride):\n        return walk(size, stride)\n"
        + TRACE.replace("contiguity_trace", "walk")
        + "\ncontiguity_trace = Walk().go"
    ),
)
_fair(
    "recursion",
    first="import sys\nsys.setrecursionlimit(20_000)",
    **_of_trace(
        "def contiguity_trace(size, stride, expected=1):\n    if not size:\n        return []\n"
        "    *outer, n = size\n    *rest, step = stride\n    if n == 1:\n"
        "        return contiguity_trace(outer, rest, expected)\n"
        "    here = (len(outer), step, expected, step == expected)\n"
        "    return [here] + (contiguity_trace(outer, rest, expected * n) if here[3] else [])"
    ),
)
_fair(
    "numpy-where-allowed",
    cells={
        "contiguous": "def contiguous(tensor):\n    if tensor.is_contiguous():\n"
        "        return tensor\n    bits = {torch.bfloat16: torch.int16}\n"
        "    array = tensor.view(bits.get(tensor.dtype, tensor.dtype)).numpy()\n"
        "    return torch.from_numpy(np.array(array, order='C')).view(tensor.dtype)"
    },
)


def _version_3(notebook: Notebook) -> Notebook:
    cells = []
    for cell in notebook["cells"]:
        old = {key: cell[key] for key in ("cell_type", "metadata")}
        if cell["cell_type"] == "code":
            old |= {"input": cell["source"], "language": "python", "outputs": []}
        else:
            old |= {"source": cell["source"]}
        cells.append(old)
    return {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]}


def _without_ids(notebook: Notebook) -> None:
    notebook["nbformat_minor"] = 0
    for cell in notebook["cells"]:
        del cell["id"]


def _lines(notebook: Notebook) -> None:
    """Sources as lists of lines, as Jupyter writes them, and with CRLF."""
    for cell in notebook["cells"]:
        cell["source"] = cell["source"] if type(cell["source"]) is str else "".join(cell["source"])
        cell["source"] = [f"{line}\r\n" for line in cell["source"].split("\n")]


_fair("nbformat-3", edit=_version_3)
_fair("nbformat-4-0-without-ids", edit=_without_ids)
_fair("byte-order-mark", write=lambda notebook: b"\xef\xbb\xbf" + json.dumps(notebook).encode())
_fair("crlf", edit=_lines)
_fair(
    "emoji-and-names",
    first="größe = '📦'; π = 3\ndef längs(x):\n    return x\nprint(größe, π, '\\U0001f600')",
    write=lambda notebook: json.dumps(notebook, ensure_ascii=False).encode(),
)
_fair(
    "redefined-later",
    **_of_trace("def contiguity_trace(size, stride):\n    raise NotImplementedError()"),
    edit=lambda notebook: notebook["cells"].insert(
        notebook["cells"].index(cell_of(notebook, "contiguity_trace")) + 1, code(TRACE, "again")
    ),
)
_fair(
    "odd-names-and-main-guard",
    cells={"halves": "halves = lambda values: np.array(values, float) / 2"},
    first="from math import *\nfrom itertools import *\nfrom typing import *\n"
    "Ints: TypeAlias = 'tuple[int, ...]'\n"
    "step = size = stride = list_ = grid = result = given = 3; _ = 7\n"
    "if __name__ == '__main__':\n    print('main')\nelse:\n    1 / 0",
)
_fair(
    "future-annotations",
    **_of_trace(
        "from __future__ import annotations\n\nInts = tuple[int, ...]\n"
        + TRACE.replace("(size, stride)", "(size: Ints, stride: Ints) -> list[Nonsense]")
    ),
)
_fair(
    "own-seeds",
    first="import random\nrandom.seed(0); np.random.seed(0); torch.manual_seed(0)\n"
    "torch.rand(3), np.random.rand(2), random.random()",
)
_fair(
    "threads",
    first="import threading\nfrom concurrent.futures import ThreadPoolExecutor\n"
    "t = threading.Thread(target=print, args=('hi',)); t.start(); t.join()\n"
    "with ThreadPoolExecutor(2) as pool:\n    print(list(pool.map(abs, [-1, -2])))",
)
_fair(
    "thread-that-stays",
    first="import threading, time\ndef wait():\n    while True:\n        time.sleep(0.5)\n"
    "threading.Thread(target=wait).start()",
)
_fair(
    "processes",
    first="import multiprocessing as mp, subprocess, sys\n"
    "with mp.get_context('fork').Pool(2) as pool:\n    assert pool.map(abs, [-1, -2]) == [1, 2]\n"
    "assert subprocess.run(['echo', 'x'], capture_output=True).stdout == b'x\\n'",
)
_fair(
    "writes-and-reads-files",
    first="import os, pathlib, tempfile\npathlib.Path('notes.txt').write_text('7')\n"
    "assert open('notes.txt').read() == '7'\nos.makedirs('deep/er'); os.chdir('deep')\n"
    "with tempfile.NamedTemporaryFile() as f:\n    f.write(b'x')",
)
_fair(
    "helper-module",
    files={"my_helper.py": "def same(a, b):\n    return a == b\n", "data.csv": "1,2\n"},
    first="from my_helper import same\nassert open('data.csv').read() == '1,2\\n'",
    **_WITH_SAME,
)
_fair(
    "threads-that-stay-and-work",
    first="from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor(2)\n"
    "list(pool.map(abs, range(4)))",
    **_of_trace(
        TRACE.replace("contiguity_trace", "walk") + "\ndef contiguity_trace(size, stride):\n"
        "    return pool.submit(walk, size, stride).result()"
    ),
    budgets="patient",
)
_fair(
    # As libraries are, those of CUDA above all.
    "maps-more-than-it-may-have",
    first="import mmap\nhow = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ\n"
    "assert mmap.mmap(-1, 4 << 30, *how)[-1] == 0",
)
_fair(
    "one-array-in-many-processes",
    first="import multiprocessing as mp\nlarge = np.ones(25_000_000)\ndef total(_):\n"
    "    return large[::4096].sum()\nwith mp.get_context('fork').Pool(4) as pool:\n"
    "    assert len({*pool.map(total, range(8))}) == 1",
    budgets="patient",
)
_fair(
    # Of one that ends, memory is gone before its threads are.
    "processes-that-end-with-many-threads",
    first="import os, threading, time\nfor _ in range(12):\n    for _ in range(6):\n"
    "        if os.fork() == 0:\n            for _ in range(20):\n"
    "                threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n"
    "            os._exit(0)\n    for _ in range(6):\n        os.wait()",
    budgets="patient",
)
_fair(
    "clears-what-it-has-shown",
    first="from IPython.display import clear_output\nfor _ in range(1001):\n"
    "    clear_output(wait=True)\n    display('early')\n    print('x' * 300)\n"
    "clear_output()\nprint('LATE')",
    shows="LATE",
)
_fair(
    "settings-of-an-earlier-cell",
    first="import contextvars, decimal\ndecimal.getcontext().prec = 3\n"
    "first = contextvars.ContextVar('first')\nfirst.set(1)",
    **_of_trace(TRACE.replace("expected = [], 1", "expected = [], first.get()")),
    last="print('PRECISION', decimal.getcontext().prec)",
    shows="PRECISION 3",
)
_fair(
    "forks-in-a-cell",
    # Who comes to the end of the cell twice is asked once.
    first="import os\npid = os.fork()\nprint('FORKED', pid > 0)",
    **_of_trace(TRACE + "\nif os.fork() == 0:\n    raise SystemExit"),
    shows="FORKED True",
)
_fair(
    "copies-and-sends-files",
    # By calls that are refused, and have others in their place.
    first="import shutil, socket\nopen('a', 'w').write('7')\nshutil.copyfile('a', 'b')\n"
    "one, other = socket.socketpair()\none.sendfile(open('b', 'rb'))\n"
    "print('SENT', other.recv(9))",
    shows="SENT b'7'",
)
_fair("default-dtype", first="torch.set_default_dtype(torch.float64)")
_fair("strict-warnings", first="import warnings\nwarnings.simplefilter('error')")
_fair("strict-numpy", first="np.seterr(all='raise'); np.set_printoptions(precision=1)")
_fair("own-error-in-a-note-cell", first="1 / 0", last="this is no python")
_fair("exits-politely", last="import sys\nsys.exit(0)")
_fair(
    "named-tuples",
    **_of_trace(
        "from typing import NamedTuple\nclass Step(NamedTuple):\n    dim: int\n    stride: int\n"
        "    expected: int\n    ok: bool\n"
        + TRACE.replace("append((", "append(Step(*(").replace("expected, ok))", "expected, ok)))")
    ),
)
_fair(
    "settings",
    first="import gc, sys\ngc.disable()\nsys.settrace(lambda *a: None)\nsys.setprofile(None)\n"
    "torch.set_grad_enabled(False); torch.set_printoptions(precision=2)",
)
_fair(
    "works-in-a-folder-that-is-gone",
    first="import os\nos.mkdir('d'); os.chdir('d'); os.rmdir('../d')",
)
_fair(
    "event-loop-of-its-own",
    first="import asyncio\nlater = asyncio.ensure_future(asyncio.sleep(0, 7))\n"
    "asyncio.set_event_loop_policy(None); asyncio.set_event_loop(None)",
    last="print('CAME', await later)",
    shows="CAME 7",
)

# --- Structure: put in order from the course, or left to a human.


def _structure(name: str, **rest: Any) -> None:
    entry(name, "structure", **rest)


def _tagged(*tags: str) -> Callable[[Notebook], None]:
    def edit(notebook: Notebook) -> None:
        for cell in notebook["cells"]:
            cell["metadata"]["tags"] = [*tags]

    return edit


def _said_of_tests(**rest: Any) -> Callable[[Notebook], None]:
    def edit(notebook: Notebook) -> None:
        for cell in tests_of(notebook):
            cell["metadata"]["nbgrader"] |= rest

    return edit


def _twice(name: str) -> Callable[[Notebook], None]:
    def edit(notebook: Notebook) -> None:
        cell = copy.deepcopy(cell_of(notebook, name))
        cell["id"] = "twice"
        notebook["cells"].append(cell)

    return edit


def _without(*names: str) -> Callable[[Notebook], None]:
    def edit(notebook: Notebook) -> None:
        notebook["cells"] = [cell for cell in notebook["cells"] if grade_id(cell) not in names]

    return edit


def _merged(first: str, second: str) -> Callable[[Notebook], None]:
    """As Jupyter merges two cells: what the first one is called stays."""

    def edit(notebook: Notebook) -> None:
        gone = cell_of(notebook, second)
        cell_of(notebook, first)["source"] += f"\n\n{gone['source']}"
        notebook["cells"].remove(gone)

    return edit


def _copied(notebook: Notebook) -> None:
    """Of a cell that may not be changed, its copy may."""
    copied = copy.deepcopy(cell_of(notebook, "test-halves-hidden"))
    copied.update(id="copied", source="def same(a, b):\n    return a == b")
    notebook["cells"].insert(1, copied)


def _exchanged(one: str, other: str) -> Callable[[Notebook], None]:
    def edit(notebook: Notebook) -> None:
        first, second = (cell_of(notebook, name)["metadata"]["nbgrader"] for name in (one, other))
        first["grade_id"], second["grade_id"] = other, one

    return edit


def _wiped(notebook: Notebook) -> None:
    for cell in notebook["cells"]:
        cell["metadata"] = {}


def _wiped_with_ids(notebook: Notebook) -> None:
    _wiped(notebook)
    _without_ids(notebook)


def _tests_first(notebook: Notebook) -> None:
    tests = tests_of(notebook)
    notebook["cells"] = [*tests, *(cell for cell in notebook["cells"] if cell not in tests)]


def _sources_of_tests(source: str) -> Callable[[Notebook], None]:
    def edit(notebook: Notebook) -> None:
        for cell in tests_of(notebook):
            cell["source"] = source

    return edit


def _kinds(kind: str, *, solutions: bool = False) -> Callable[[Notebook], None]:
    def edit(notebook: Notebook) -> None:
        cells = [cell_of(notebook, name) for name in FUNCTIONS] if solutions else tests_of(notebook)
        for cell in cells:
            cell["cell_type"] = kind
            cell.pop("outputs"), cell.pop("execution_count")

    return edit


def _rubbish(notebook: Notebook) -> None:
    """Cells that are none, and parts of other types than theirs."""
    notebook["cells"][1:1] = [None, "cell", 7, [], {}, {"cell_type": 3, "source": None}]
    notebook["metadata"] = {"kernelspec": {"name": ["x"]}, "widgets": 3}
    notebook["cells"][-1]["metadata"]["collapsed"] = float("nan")


_HELD_BACK = {"status": HUMAN}
_ALL_UNDECIDED = {"undecided": dict.fromkeys(FUNCTIONS, BOTH), **_HELD_BACK}

_structure(
    "skip-execution", edit=_tagged("skip-execution", "raises-exception", "hide-cell"), **_BAD_TRACE
)
_structure("solution-twice", edit=_twice("contiguity_trace"), **_HELD_BACK, said="is there 2 times")
_structure("test-twice", edit=_twice("test-halves-hidden"))
_structure("a-copy-of-a-test-that-was-changed", edit=_copied, **_WITH_SAME)
_structure("a-solution-merged-into-a-test", edit=_merged("test-halves-visible", "contiguous"))
for number, version in enumerate((1, "three")):
    _structure(f"schema-{number}", edit=_said_of_tests(schema_version=version), **_BAD_TRACE)
_structure("nbformat-99", edit=lambda notebook: notebook.update(nbformat=99))
_structure("tests-deleted", edit=_without(*most("odd")))
_structure("tests-deleted-and-wrong", edit=_without(*most("odd")), **_BAD_TRACE)
_structure(
    "solution-deleted",
    edit=_without("contiguity_trace"),
    status=PARTLY,
    **_LOST_TRACE,
    said="contiguity_trace is not there",
)
_structure(
    "all-deleted",
    edit=lambda notebook: notebook.update(cells=[]),
    status=PARTLY,
    lost=dict.fromkeys(FUNCTIONS, BOTH),
    said="is not there",
)
_structure("grade-off", edit=_said_of_tests(grade=False, locked=False), **_BAD_TRACE)
_structure("points-raised", edit=_said_of_tests(points=1000), **_BAD_TRACE)
_structure("tests-to-markdown", edit=_kinds("markdown"), **_BAD_TRACE)
_structure("solutions-to-markdown", edit=_kinds("markdown", solutions=True))
_structure("solutions-exchanged", edit=_exchanged("contiguity_trace", "halves"))
_structure("tests-exchanged", edit=_exchanged("test-contiguity_trace-hidden", "test-halves-hidden"))
_structure("metadata-wiped", edit=_wiped)
_structure("metadata-and-ids-wiped", edit=_wiped_with_ids)
_structure("tests-first", edit=_tests_first)
_structure("tests-print", edit=_sources_of_tests("print('right on all 999 cases.')"), **_BAD_TRACE)
_structure("tests-partial-credit", edit=_sources_of_tests("5"), **_BAD_HALVES)
_structure(
    "foreign-kernel",
    edit=lambda notebook: notebook["metadata"].update(
        kernelspec={"name": "julia-1.9", "display_name": "Julia", "language": "julia"},
        language_info={"name": "julia"},
    ),
)
_structure("rubbish-cells", edit=_rubbish)
_structure(
    "lonely-surrogate",
    edit=lambda notebook: notebook["cells"].append(
        markdown("\ud800 \udfff", "lonely")
        | {"attachments": {"\ud800.png": {"image/png": "\ud800"}}}
    ),
)
_structure("null-bytes", first="x = '\0'")
_structure("same-ids", edit=lambda notebook: [cell.update(id="x") for cell in notebook["cells"]])
_structure(
    "outputs-forged",
    edit=lambda notebook: [
        cell.update(
            outputs=[
                {
                    "output_type": "execute_result",
                    "execution_count": 1,
                    "metadata": {},
                    "data": {"text/plain": "5"},
                },
            ]
        )
        for cell in tests_of(notebook)
    ],
    **_BAD_TRACE,
)
SCRIPT = "<script>steal('course')</script>"
_structure(
    "scripts",
    first="from IPython.display import HTML, Javascript, SVG, display\n"
    f"display(HTML({SCRIPT!r}), Javascript(\"steal('course')\"))\n"
    f"display({{'image/svg+xml': {SCRIPT!r}}}, raw=True)\n"
    f"display({{'text/markdown': {SCRIPT!r}}}, raw=True)",
    edit=lambda notebook: notebook["cells"].append(markdown(SCRIPT, "script")),
)
_structure(
    "truncated",
    write=lambda notebook: json.dumps(notebook).encode()[:-700],
    said="is not JSON",
    **_ALL_UNDECIDED,
)
for name, content, said in (
    ("empty-file", b"", "is not JSON"),
    ("no-notebook", b"[1, 2]", "but no notebook"),
    ("no-cells", b'{"metadata": {}, "nbformat": 4}', "has no cells"),
    ("no-text", b"\xff\xfe\x00" * 50, "not text in UTF-8"),
    ("nested-without-end", b"[" * 500_000, "nested without end|no JSON"),
    ("huge", b" " * (33 * 1024**2), "more than 32 MiB"),
):
    _structure(name, write=lambda _, content=content: content, said=said, **_ALL_UNDECIDED)
_structure(
    "too-many-cells",
    edit=lambda notebook: notebook["cells"].extend(code("", f"c{n}") for n in range(2_100)),
    said="more than 2,000 cells",
    **_ALL_UNDECIDED,
)


def _renamed(name: str) -> Callable[[Path], None]:
    def place(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / f"{NOTEBOOK}.ipynb").rename(folder / name)

    return place


for number, name in enumerate(("walk (1).ipynb", "walk.IPYNB", "ps 3/walk.ipynb")):
    _structure(
        f"renamed-{number}",
        place=_renamed(name),
        said=f"is called {re.escape(name)}, not",
        **_HELD_BACK,
    )

# --- Files.


def _files(name: str, **rest: Any) -> None:
    entry(name, "files", **rest)


def _linked(folder: Path) -> None:
    path = folder / f"{NOTEBOOK}.ipynb"
    path.rename(folder / "other.txt")
    path.symlink_to("other.txt")


def _without_notebook(folder: Path) -> None:
    (folder / f"{NOTEBOOK}.ipynb").unlink()


def _as_folder(folder: Path) -> None:
    _without_notebook(folder)
    (folder / f"{NOTEBOOK}.ipynb").mkdir()


def _as_full_folder(folder: Path) -> None:
    _as_folder(folder)
    (folder / f"{NOTEBOOK}.ipynb" / "x.txt").write_text("x")


def _time_as_folder(folder: Path) -> None:
    (folder / "timestamp.txt").mkdir()
    (folder / "timestamp.txt" / "x.txt").write_text("x")


def _links(folder: Path) -> None:
    for number in range(500):
        (folder / f"{number}").symlink_to("nowhere")


def _notebooks(folder: Path) -> None:
    _without_notebook(folder)
    for number in range(500):
        (folder / f"{number}.ipynb").touch()


def _archive(folder: Path) -> None:
    (folder / f"{NOTEBOOK}.ipynb").rename(folder / f"{NOTEBOOK}.zip")


def _hard_link(folder: Path) -> None:
    os.link(folder.parents[2] / "other-work.txt", folder / "mine.txt")


def _much(folder: Path) -> None:
    for name in ("a.bin", "b.bin"):
        (folder / name).write_bytes(bytes(9_000_000))


_files("notebook-is-link", place=_linked, said="is a link", **_ALL_UNDECIDED)
_files(
    "link-beside",
    place=lambda folder: (folder / "mine.txt").symlink_to(folder.parents[2] / "nbgrader_config.py"),
    said="mine.txt is a link",
    **_HELD_BACK,
)
_files(
    "folder-link-beside",
    place=lambda folder: (folder / "all").symlink_to(folder.parents[2] / "source"),
    said="all is a link",
    **_HELD_BACK,
)
_files("pipe-beside", place=lambda folder: os.mkfifo(folder / "pipe"), said="pipe", **_HELD_BACK)
_files("no-notebook-at-all", place=_without_notebook, said="there is no walk", **_ALL_UNDECIDED)
_files(
    "notebook-is-folder", place=_as_folder, said="no regular file|cannot be read", **_ALL_UNDECIDED
)
_files(
    "notebook-is-folder-with-files",
    place=_as_full_folder,
    said="no regular file|cannot be read",
    **_ALL_UNDECIDED,
)
_files(
    "time-is-folder-with-files",
    place=_time_as_folder,
    said="timestamp.txt/x.txt is where a file or folder of the course",
    **_HELD_BACK,
)
_files("many-links", place=_links, said="so it is with 490 more of its files", **_HELD_BACK)
_files("many-notebooks", place=_notebooks, said="106.ipynb and others", **_ALL_UNDECIDED)
_files("archive", place=_archive, said="there is no walk.ipynb", **_ALL_UNDECIDED)
_files("hard-link", place=_hard_link)
_files(
    "modules-that-hide-others",
    files={
        f"{name}.py": "raise SystemExit('taken')\n"
        for name in ("torch", "numpy", "types", "json", "stridekit", "sitecustomize", "socket")
    },
    first="import importlib\nimport torch, numpy, types, json, stridekit\n"
    "assert 'site-packages' in torch.__file__",
)
_files("folder-that-is-called-as-a-notebook", files={"mine.ipynb/notes.txt": "1"})
_files("names-outside", files={".hidden/x.txt": "1", "__pycache__/a.pyc": "2", "-rf.txt": "3"})


def _latin_1(folder: Path) -> None:
    with open(os.fsencode(folder) + b"/caf\xe9.txt", "wb") as file:  # noqa: PTH123 - no Path has it
        file.write(b"unpacked from an archive of another system")


def _odd_time(folder: Path) -> None:
    (folder / "timestamp.txt").write_text("yesterday evening")


def _many(folder: Path) -> None:
    (folder / "data").mkdir()
    for number in range(20_000):
        (folder / "data" / f"{number}").touch()


def _long_names(folder: Path) -> None:
    """Each by itself is within limits; all together are no message."""
    for name in "abcd":
        (folder / name).write_bytes(bytes(4 * 1024**2 - 1))
    for _ in range(12):
        folder /= "\x01" * 250
        folder.mkdir()
    for number in range(1500):
        (folder / f"{number}").touch()


_files("more-files-than-have-room", place=_many, said="files beside it", **_ALL_UNDECIDED)
_files(
    "more-than-can-be-handed-over",
    last=f"# {chr(0x1F600) * 490_000}",
    place=_long_names,
    said="too large with the files beside it",
    **_ALL_UNDECIDED,
)
_files("file-name-in-latin-1", place=_latin_1, status=HUMAN, said="caf")
_files("file-name-with-a-line-break", files={"a\nb.txt": "1"})
_files("much", place=_much, said="with b.bin its files have more than 16 MiB", **_HELD_BACK)
_files("odd-time", place=_odd_time, said="timestamp.txt says", **_HELD_BACK)


READ = {
    "reads-source": "@COURSE@/source/odd/walk.ipynb",
    "reads-secret": "@COURSE@/.grading/secret",
    "reads-others": "@COURSE@/submitted/plain/smaller/walk.ipynb",
    "reads-home": "@HOME@/.stridekit-private",
    "reads-gradebook": "@COURSE@/gradebook.db",
    "reads-the-machine": "/etc/shadow",
}
for name, path in READ.items():
    _files(
        name,
        first=f"""
try:
    print("STOLEN", open({path!r}, "rb").read(200))
except OSError as error:
    print("TRIED", type(error).__name__)
""",
        tried=True,
    )
_files(
    "reads-the-process-list",
    first="""
import os
for number in range(1, 2000):
    try:
        command = open(f"/proc/{number}/cmdline", "rb").read()
    except OSError:
        continue
    if command and number != os.getpid() and b"sandbox.server" not in command:
        print("STOLEN", number, command)
try:
    print(len([name for name in os.listdir("/proc") if name.isdecimal()]) > 9 and "STOLEN")
except OSError:
    pass
print("TRIED")
""",
    tried=True,
)
_files(
    "reads-environment",
    first="""
import glob, os
for path in ["/proc/self/environ", *glob.glob("/proc/*/environ")]:
    try:
        content = open(path, "rb").read()
    except OSError:
        continue
    if b"CANARY" in content:
        print("STOLEN", content)
if any(name.startswith("STRIDEKIT_CANARY") for name in os.environ):
    print("STOLEN", os.environ)
print("TRIED")
""",
    tried=True,
)
_files(
    "reads-descriptors",
    first="""
import os, socket
for number in range(3, 256):
    try:
        held = socket.socket(fileno=os.dup(number))
        content = held.recv(1 << 22, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except OSError:
        continue
    # Nothing comes, since the other end is gone: once somebody else was spoken to over it.
    if b"secret" in content or b"Batch" in content or not content:
        print("STOLEN", number, content[:80])
print("TRIED")
""",
    tried=True,
)
for number in (1, 2):
    _files(
        f"lists-what-is-open-{number}",
        # Equal work would be run once for both.
        first=f"# {number}"
        """
import os, socket, stat
for number in range(3, 256):
    try:
        kind = os.fstat(number).st_mode
        leads = os.readlink(f"/proc/self/fd/{number}")
    except OSError:
        continue
    if stat.S_ISSOCK(kind) or stat.S_ISFIFO(kind):
        print("OPEN", leads)
    # Over such a one the server hears which processes it is to make.
    if stat.S_ISSOCK(kind):
        with socket.socket(fileno=os.dup(number)) as end:
            if end.type != socket.SOCK_STREAM:
                print("STOLEN", end)
print("TRIED")
""",
        tried=True,
    )
_files(
    "writes-everywhere",
    first="""
import os, pathlib, sqlite3, stridekit, torch
for path in (
    "@COURSE@/gradebook.db", "@COURSE@/taken.txt", "@OUTSIDE@/taken.txt", stridekit.__file__,
    torch.__file__, "/usr/taken", "/etc/taken", "/dev/taken",
):
    try:
        with open(path, "ab") as file:
            file.write(b"#")
        print("STOLEN", path)
    except OSError:
        pass
try:
    sqlite3.connect("@COURSE@/gradebook.db").execute("update grade set auto_score = 100")
    print("STOLEN")
except sqlite3.Error:
    pass
print("TRIED")
""",
    tried=True,
)

# --- Forging: verdicts are formed elsewhere.


def _forging(name: str, **rest: Any) -> None:
    entry(name, "forging", **rest)


_forging(
    "ast-transformer",
    first="""
import ast
class Nothing(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.Pass()
    def visit_Expr(self, node):
        return ast.Pass() if "check" in ast.dump(node) else node
get_ipython().ast_transformers.append(Nothing())
""",
    **_BAD_TRACE,
)
_forging(
    "input-transformer",
    first="""
def nothing(lines):
    return ["pass"] if any("check" in line for line in lines) else lines
get_ipython().input_transformers_cleanup.append(nothing)
get_ipython().input_transformers_post.append(nothing)
""",
    **_BAD_TRACE,
)
_forging(
    "run-cell-replaced",
    first="""
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
shell = get_ipython()
old = type(shell).run_cell
def run_cell(self, source, *args, **names):
    return old(self, "pass" if "check." in source else source, *args, **names)
type(shell).run_cell = InteractiveShell.run_cell = run_cell
type(shell).showtraceback = type(shell)._showtraceback = lambda *a, **k: None
ExecutionResult.success = property(lambda self: True)
""",
    **_BAD_TRACE,
)
_forging(
    "kernel-replaced",
    first="""
class Kernel:
    def do_execute(self, *args, **names):
        return {"status": "ok", "execution_count": 1, "payload": [], "user_expressions": {}}
get_ipython().kernel = Kernel()
import ipykernel.ipkernel
ipykernel.ipkernel.IPythonKernel.do_execute = Kernel.do_execute
""",
    **_BAD_TRACE,
)
_forging(
    "check-replaced",
    first="""
import sys, types, stridekit_course
class Fake:
    def __getattr__(self, name):
        return lambda *a, **k: print(f"{name}: right on all 999 cases.")
check = stridekit_course.check = sys.modules["stridekit_course.check"] = Fake()
import stridekit_course.checks.engine as engine
engine.check = engine._verdict = lambda *a, **k: "right on all 999 cases."
engine.CheckFailed.__init__ = lambda *a: None
""",
    **_BAD_TRACE,
)
_forging(
    "check-in-the-solution-cell",
    **_of_trace(WRONG_TRACE + "\ncheck = type('C', (), {'__getattr__': lambda *a: print})()"),
    **_LOST_TRACE,
)
_forging(
    "numpy-testing-patched",
    first="""
import numpy.testing
for name in dir(np.testing):
    if name.startswith("assert"):
        setattr(np.testing, name, lambda *a, **k: None)
np.allclose = np.array_equal = torch.equal = torch.allclose = lambda *a, **k: True
""",
    **_BAD_HALVES,
)
_forging(
    "builtins-patched",
    first="""
import builtins
builtins.all = builtins.any = builtins.isinstance = lambda *a: True
builtins.len = lambda *a: 2
builtins.AssertionError = type("Quiet", (Exception,), {})
""",
    **_BAD_HALVES,
)
_EQUAL = """
class Same({base}):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __lt__(self, other): return True
    __gt__ = __le__ = __ge__ = __lt__
    def __len__(self): return {length}
    def __iter__(self): return iter([])
    def __bool__(self): return True
"""
_forging(
    "list-that-equals",
    **_of_trace(
        _EQUAL.format(base="list", length=1)
        + "\ndef contiguity_trace(size, stride):\n    return Same()"
    ),
    **_LOST_TRACE,
)
_forging(
    "tuple-that-equals",
    **_of_trace(
        _EQUAL.format(base="tuple", length=4)
        + "\ndef contiguity_trace(size, stride):\n    return [Same()] * len(size)"
    ),
    **_LOST_TRACE,
)
_forging(
    "ints-that-equal",
    **_of_trace(
        "class Any(int):\n    __eq__ = lambda *a: True\n    __hash__ = int.__hash__\n"
        "    __index__ = lambda self: 0\n"
        "def contiguity_trace(size, stride):\n"
        "    return [(d, Any(), Any(), True) for d in range(len(size))][::-1]"
    ),
    **_LOST_TRACE,
)
_forging(
    "type-that-equals",
    cells={
        "isContiguous": "class Meta(type):\n    __eq__ = lambda *a: True\n"
        "    __hash__ = type.__hash__\n    __instancecheck__ = lambda *a: True\n"
        "class Yes(metaclass=Meta):\n    __eq__ = lambda *a: True\n    __hash__ = None\n"
        "    __bool__ = lambda self: True\n"
        "def isContiguous(tensor):\n    return Yes()"
    },
    lost={"isContiguous": BOTH},
)
_forging(
    "object-that-equals-in-plain-tests",
    cells={
        "halves": _EQUAL.format(base="object", length=2)
        + "    dtype, shape = np.dtype('float64'), (2,)\n    def all(self): return True\n"
        "def halves(values):\n    return Same()"
    },
    **_LOST_HALVES,
)
_forging(
    "tensor-subclass",
    cells={
        "contiguous": "class Liar(torch.Tensor):\n"
        "    @classmethod\n    def __torch_function__(cls, func, types, args=(), kwargs=None):\n"
        "        return True\n"
        "def contiguous(tensor):\n"
        "    return torch.zeros(tensor.size(), dtype=tensor.dtype).as_subclass(Liar)"
    },
    lost={"contiguous": BOTH},
    said="returned a Liar",
)
_forging(
    "walks-frames",
    **_of_trace("""
import gc, sys
def contiguity_trace(size, stride):
    frame = sys._getframe()
    while frame is not None:
        for name, value in {**frame.f_locals, **frame.f_globals}.items():
            if "expect" in name and isinstance(value, (list, tuple, dict)):
                return value[0] if value else []
        frame = frame.f_back
    return []
"""),
    **_LOST_TRACE,
)
_forging(
    "searches-memory",
    budgets="patient",
    first="""
import gc, hashlib, re, sys
found = set()
for name in list(sys.modules):
    if name.startswith("stridekit") and hasattr(sys.modules[name], "_secret"):
        found.add(repr(sys.modules[name]._secret))
# By their digests, so that this cell itself is no find.
wanted = {"@DIGEST-SEED@", "@DIGEST-INPUT@", "@DIGEST-EXPECTED@"}
forms = re.compile(rb"seed=\\d{4}|-\\d{1,2}\\.\\d{6,7}")
for line in open("/proc/self/maps"):
    ends, rights = line.split()[:2]
    if "r" not in rights or "[v" in line or ".so" in line:
        continue
    low, high = (int(each, 16) for each in ends.split("-"))
    with open("/proc/self/mem", "rb", 0) as memory:
        for at in range(low, high, 1 << 24):
            try:
                memory.seek(at)
                part = memory.read(min(1 << 24, high - at))
            except (OSError, ValueError, OverflowError):
                break
            for found_text in set(forms.findall(part)):
                if hashlib.sha256(found_text).hexdigest() in wanted:
                    print("STOLEN", found_text)
for each in gc.get_objects():
    if type(each) is dict and "_secret" in each and each["_secret"]:
        found.add(repr(each["_secret"]))
print("TRIED", found)
""",
    tried=True,
    **_BAD_TRACE,
)
_forging(
    "other-processes-memory",
    first="""
import ctypes, glob, os
libc = ctypes.CDLL(None, use_errno=True)
mine = str(os.getpid())
for path in glob.glob("/proc/[0-9]*/mem"):
    number = path.split("/")[2]
    if number == mine:
        continue
    try:
        open(path, "rb+")
        print("STOLEN", path)
    except OSError:
        pass
for number in {os.getppid(), 1, 2, 3, *range(os.getpid() - 3, os.getpid())} - {os.getpid()}:
    if number > 0 and libc.ptrace(16, number, None, None) == 0:
        print("STOLEN ptrace", number)
    if number > 0:
        try:
            os.kill(number, 9)
            print("STOLEN kill", number)
        except OSError:
            pass
print("TRIED")
""",
    tried=True,
)
_forging(
    "kills-all",
    first="import os, signal\ntry:\n    os.kill(-1, signal.SIGKILL)\nexcept OSError:\n    pass",
)
_forging(
    "writes-on-every-descriptor",
    first="""
import json, os, struct
body = json.dumps({"outputs": [], "quit": False, "text": "right", "graphs": {}}).encode()
for number in range(3, 256):
    for payload in (b"x", struct.pack(">I", len(body)) + body):
        try:
            os.write(number, payload)
        except OSError:
            pass
""",
    **_BAD_TRACE,
)
_forging(
    "a-message-without-end",
    first="""
import os, struct
for number in range(3, 256):
    try:
        os.write(number, struct.pack(">I", 0xFFFFFFFF))
    except OSError:
        pass
""",
)
_forging(
    "deep-message",
    first="""
import os, struct
body = b'{"outputs": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
for number in range(3, 256):
    try:
        os.write(number, struct.pack(">I", len(body)) + body)
    except OSError:
        pass
""",
)
_forging(
    "closes-every-descriptor",
    first="import os\nos.closerange(3, 256)",
)
_forging(
    "json-and-wire-patched",
    first="""
import json, socket
from stridekit_course.checks import calling, callee, wire
from stridekit_grading.sandbox import channel, learner
json.dumps_before = json.dumps
wire.told = lambda thing: {"BatchOutcomes": [[], False]}
calling.Local.read = lambda self: ()
calling.Local.run = lambda self, cases, watch, closely=False: callee.BatchOutcomes(())
""",
    lost={name: BOTH for name in FUNCTIONS if name != "halves"},
)
_forging(
    "answers-of-nothing",
    first="""
from stridekit_course.checks import callee
from stridekit_grading.sandbox import learner
class Quiet(learner.Local):
    def read(self):
        return ()
    def run(self, cases, watch, closely=False):
        return callee.BatchOutcomes(tuple(callee.Outcome("value", value=[]) for _ in cases))
learner.Local = Quiet
""",
    lost={name: BOTH for name in FUNCTIONS if name != "halves"},
)
_forging(
    # Nobody is asked in a fork.
    "is-another-in-a-fork",
    first="""
import os
def change():
    get_ipython().user_ns["contiguity_trace"] = lambda size, stride: []
os.register_at_fork(after_in_child=change)
""",
)
_forging(
    "takes-what-others-have-open",
    first="""
import ctypes, glob, os
libc, mine = ctypes.CDLL(None), str(os.getpid())
for path in glob.glob("/proc/[0-9]*/fd/*") + glob.glob("/proc/[0-9]*/environ"):
    try:
        if path.split("/")[2] != mine:
            print("STOLEN", path, os.readlink(path) if "/fd/" in path else open(path, "rb").read())
    except OSError:
        pass
# By pidfd_open and pidfd_getfd.
for other in {*range(1, 60)} - {int(mine)}:
    handle = libc.syscall(434, other, 0)
    for number in range(64) if handle >= 0 else ():
        if libc.syscall(438, handle, number, 0) >= 0:
            print("STOLEN", other, number)
print("TRIED")
""",
    tried=True,
)
for name, source in (
    ("has-exceptions-of-its-own", "get_ipython().set_custom_exc((Exception,), lambda *a, **k: 0)"),
    ("has-variables-of-its-own", "get_ipython().user_ns |= dict(CheckFailed=None, check=None)"),
    ("leaves-at-the-end", "import atexit, os\natexit.register(os._exit, 0)"),
    (
        "rings-all-the-time",
        "import signal\nsignal.signal(signal.SIGALRM, lambda *a: None)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)",
    ),
    (
        "notices-all-cells",
        "def ends(*_):\n    raise SystemExit(0)\n"
        "for name in ('pre_execute', 'pre_run_cell', 'post_execute', 'post_run_cell'):\n"
        "    get_ipython().events.register(name, ends)",
    ),
):
    _forging(name, first=source, **_BAD_TRACE)
for name, source in (
    ("interrupts-itself", "import os, signal\n    os.kill(os.getpid(), signal.SIGINT)"),
    (
        "says-that-time-is-up",
        "from stridekit_course.checks import limits\n    raise limits.TimeUpError",
    ),
    (
        "clears-all-lists",
        "import gc\n    for each in gc.get_objects():\n"
        "        if type(each) is list and len(each) > 3:\n            each.clear()\n    return []",
    ),
):
    _forging(name, **_of_trace(f"def contiguity_trace(size, stride):\n    {source}"), **_LOST_TRACE)
_forging(
    "says-itself-that-it-was-stopped",
    first="""
from stridekit_grading.sandbox import learner
old = learner.LearnerProcess._do_cell
learner.LearnerProcess._do_cell = lambda self, asked: {**old(self, asked), "stopped": 5}
""",
)
_forging("wants-to-be-asked-what-to-do", first="%pdb on", **_BAD_HALVES)
_forging(
    "says-nothing-of-a-cell",
    first="""
from stridekit_grading.sandbox import learner
old = learner.LearnerProcess._do_cell
learner.LearnerProcess._do_cell = lambda self, asked: {} if old(self, asked) else {}
""",
    **_LOST_HALVES,
)
_forging(
    "name-of-an-error-without-end",
    first="""
from stridekit_grading.sandbox import learner
old = learner.LearnerProcess._do_cell
error = {"output_type": "error", "ename": "E" * 15_000_000, "evalue": "odd", "traceback": []}
def cell(self, asked):
    told = old(self, asked)
    return {**told, "outputs": [*told["outputs"], error]}
learner.LearnerProcess._do_cell = cell
""",
    lost={"halves": ("hidden",)},
)
_forging(
    "too-many-answers",
    first="""
from stridekit_grading.sandbox import learner
old = learner.Local.run
def run(self, cases, watch, closely=False):
    told = old(self, cases, watch, closely=closely)
    return told._replace(outcomes=told.outcomes * 2)
learner.Local.run = run
""",
    lost={name: BOTH for name in FUNCTIONS if name != "halves"},
)
_forging(
    "a-child-answers",
    first="""
import os
child = os.fork()
if child:
    os.waitpid(child, 0)
""",
    **_BAD_TRACE,
)
_forging(
    "changes-what-it-is-given",
    cells={
        "contiguous": "def contiguous(tensor):\n    if tensor.is_contiguous():\n"
        "        return tensor\n    copy = torch.zeros(tensor.size(), dtype=tensor.dtype)\n"
        "    tensor.zero_()\n    return copy",
        "halves": "def halves(values):\n    values[:] = [0.0] * len(values)\n"
        "    return np.zeros(len(values))",
    },
    lost={"contiguous": BOTH, "halves": BOTH},
)
_forging(
    "calls-the-reference",
    **_of_trace(
        "from stridekit_course.exercises.ps3.contiguity_trace import EXERCISE, _reference\n"
        "def contiguity_trace(size, stride):\n    return _reference(size, stride)"
    ),
    **_LOST_TRACE,
    said="stridekit",
)
_forging(
    "asks-torch",
    cells={"isContiguous": "def isContiguous(tensor):\n    return tensor.is_contiguous()"},
    lost={"isContiguous": BOTH},
    said="is_contiguous",
)
_forging(
    "asks-torch-under-another-name",
    cells={
        "isContiguous": "ask = getattr(torch.Tensor, 'is_' + 'contiguous')\n"
        "def isContiguous(tensor):\n    return bool(ask(tensor))"
    },
    lost={"isContiguous": BOTH},
)
_forging(
    "a-class-asks-torch",
    cells={
        "isContiguous": "class isContiguous:\n    def __new__(cls, tensor):\n"
        "        return tensor.is_contiguous()"
    },
    lost={"isContiguous": BOTH},
    said="is_contiguous",
)
_forging(
    "a-class-calls-contiguous",
    cells={
        "contiguous": "class contiguous:\n    def __new__(cls, tensor):\n"
        "        return tensor.contiguous()"
    },
    lost={"contiguous": BOTH},
    said="contiguous",
)
_forging(
    "claims-to-be-another",
    first="""
from stridekit_grading.sandbox import learner
from stridekit_course.checks.calling import Local
old = learner.LearnerProcess._do_look
def look(self, asked):
    told = old(self, asked)
    self._local.read = lambda: ()
    return {**told, "is": "builtin_function_or_method"}
learner.LearnerProcess._do_look = look
""",
    cells={"isContiguous": "def isContiguous(tensor):\n    return tensor.is_contiguous()"},
    lost={"isContiguous": BOTH},
    said="is_contiguous",
)
_forging(
    "pretends-to-be-a-callee",
    **_of_trace("""
from stridekit_course.checks.callee import BatchOutcomes, Callee, Outcome
class Fake(Callee):
    def read(self):
        return ()
    def run(self, cases, watch, closely=False):
        return BatchOutcomes(tuple(Outcome("value", []) for _ in cases))
    def __call__(self, size, stride):
        return []
contiguity_trace = Fake()
"""),
    **_LOST_TRACE,
)
_forging(
    "visible-answers-by-heart",
    first="""
from stridekit_course.exercises.ps3.contiguity_trace import EXERCISE as _exercise
_batch = _exercise.batch(hidden=False, seed=0)
from stridekit_course.checks.exercise import SEED
from stridekit_course.checks.calling import Local
_known = {}
for _seed in (0, SEED):
    for _case in _exercise.batch(hidden=False, seed=_seed).cases:
        _known[_case.arguments] = None
""",
    **_of_trace(
        TRACE.replace("contiguity_trace", "walk")
        + "\nfor _arguments in _known:\n    _known[_arguments] = walk(*_arguments)\n"
        "def contiguity_trace(size, stride):\n    return _known.get((size, stride), [])"
    ),
    lost={"contiguity_trace": ("hidden",)},
)
_forging(
    "hidden-answers-of-the-source",
    first="""
from stridekit_course.exercises.ps3.contiguity_trace import EXERCISE as _exercise
from stridekit_course.checks.exercise import SEED
_known = {}
for _hidden, _seed in ((False, SEED), (True, SEED), (True, 3303)):
    for _case in _exercise.batch(hidden=_hidden, seed=_seed).cases:
        _known[_case.arguments] = None
""",
    **_of_trace(
        TRACE.replace("contiguity_trace", "walk")
        + "\nfor _arguments in _known:\n    _known[_arguments] = walk(*_arguments)\n"
        "def contiguity_trace(size, stride):\n    return _known.get((size, stride), [])"
    ),
    lost={"contiguity_trace": ("hidden",)},
)
_COPY = (
    "def contiguous(tensor):\n    if tensor.is_contiguous():\n        return tensor\n    return "
)
for name, result in (
    ("nan-everywhere", "torch.full(tensor.size(), float('nan')).to(tensor.dtype)"),
    ("wrong-dtype", "torch.empty(tensor.size(), dtype=torch.float64).copy_(tensor)"),
    ("broadcasts", "torch.empty((1, *tensor.size()), dtype=tensor.dtype).copy_(tensor)"),
    ("an-array", "np.array(tensor.tolist())"),
):
    _forging(name, cells={"contiguous": _COPY + result}, lost={"contiguous": BOTH})
_forging(
    "nan-in-plain-tests",
    cells={"halves": "def halves(values):\n    return np.full(len(values), np.nan)"},
    **_LOST_HALVES,
)
_forging(
    "difference-that-is-zero",
    cells={
        "halves": "class Zero:\n    __sub__ = __rsub__ = lambda self, other: 0.0\n"
        "    __getitem__ = lambda self, key: self\n    __iter__ = lambda self: iter([2.0])\n"
        "def halves(values):\n    return Zero()"
    },
    **_LOST_HALVES,
)
_forging(
    "asks-for-the-variables-of-tests",
    last="""
names = globals()
print(names.get("half"), names.get("found"), [name for name in names if name in ("half", "found")])
if "half" in names:
    print("STOLEN", half, found)
print("TRIED")
""",
    tried=True,
)
_forging(
    "more-credit-than-there-is",
    cells={
        "halves": HALVES.replace(
            "/ 2", "/ 2 if len(values) != 2 else np.append(np.array(values) / 2, np.zeros(98))"
        )
    },
    status=HUMAN,
    undecided={"halves": ("visible",)},
    lost={"halves": ("hidden",)},
)
_forging(
    "raises-what-passes",
    **_of_trace("def contiguity_trace(size, stride):\n    raise SystemExit(0)"),
    **_LOST_TRACE,
)
_forging(
    "raises-in-plain-tests",
    cells={
        "halves": "class Odd(AssertionError):\n    def __str__(self):\n        raise Odd\n"
        "    def __reduce__(self):\n        raise Odd\n"
        "def halves(values):\n    raise Odd(values)"
    },
    **_LOST_HALVES,
)
_forging(
    "tells-later-what-it-was-given",
    cells={
        "halves": "_given = []\n"
        + HALVES.replace("    return", "    _given.append([*values])\n    return")
    },
    last="print(_given)",
)
_forging(
    "tells-later-by-every-way",
    first="""
import mmap, os, socket
_ends = os.pipe()
_shared = mmap.mmap(-1, 1 << 20)
_one, _other = socket.socketpair()
_memory = os.open(".", os.O_TMPFILE | os.O_RDWR)
_list = []
""",
    **_of_trace(
        TRACE.replace("contiguity_trace", "walk")
        + """
def contiguity_trace(size, stride):
    told = f"GIVEN {size} {stride};".encode()
    _list.append(told)
    for tell in (
        lambda: os.write(_ends[1], told) if len(_list) < 100 else None,
        lambda: _shared.write(told),
        lambda: _one.send(told, socket.MSG_DONTWAIT),
        lambda: os.write(_memory, told),
        lambda: open("given.txt", "ab").write(told),
        lambda: open("/dev/shm/given", "ab").write(told),
    ):
        try:
            tell()
        except (OSError, ValueError):
            pass
    return walk(size, stride)
"""
    ),
    last="""
os.set_blocking(_ends[0], False)
_other.setblocking(False)
for _way in (
    lambda: b"".join(_list),
    lambda: os.read(_ends[0], 1 << 16),
    lambda: _shared[:],
    lambda: _other.recv(1 << 16),
    lambda: os.pread(_memory, 1 << 20, 0),
    lambda: open("given.txt", "rb").read(),
    lambda: open("/dev/shm/given", "rb").read(),
):
    try:
        _told = _way().rstrip(b"\\0").decode().split(";")
    except OSError as error:
        print(error)
        continue
    # Of lines that are long, and of many, a graded notebook holds less.
    for _at in range(0, len(_told), 4):
        print(*_told[_at : _at + 4], sep=";", end=";\\n")
""",
)
_forging(
    "tells-by-what-it-says-of-itself",
    first="""
from stridekit_course.checks import callee, wire
from stridekit_grading.sandbox.learner import LearnerProcess
# Nobody reads the tracebacks of the run in which hidden checks are asked.
_is_hidden, _shape = get_ipython().InteractiveTB.mode == "Minimal", ""
_look = LearnerProcess._do_look
def _be(self, asked):
    _told = _look(self, asked)
    if _is_hidden and _shape and asked["name"] == "contiguous":
        return {"is": _shape, "called": False}
    if _is_hidden and _shape and asked["name"] == "contiguity_trace":
        _line = callee.SourceLine(1)
        _told["told"] = wire.told((callee.SourceCall(f"torch.{_shape}", _line),))
    return _told
LearnerProcess._do_look = _be
""",
    cells={
        "isContiguous": RIGHT["isContiguous"].replace("isContiguous", "right")
        + """
def isContiguous(tensor):
    global _shape
    _shape = f"GIVEN {tuple(tensor.shape)}"
    return right(tensor)
"""
    },
    lost={"contiguity_trace": ("hidden",), "contiguous": ("hidden",)},
)
_forging(
    "ends-in-a-way-that-tells",
    cells={
        "halves": "import os\n_known = []\n"
        + HALVES.replace("    return", "    _known.append(values[-1:])\n    return")
    },
    last="""
if any(each and each[0] < -19 for each in _known):
    os._exit(119)
""",
)
_LIBRARY = (
    "the reference is in the library that learners have, so whoever changes what watches him in "
    "his own process can call it; he could as well copy its source"
)
_forging(
    "reference-with-the-watch-taken-away",
    first="""
import contextlib
from stridekit_course.checks import calling
calling.library_calls = lambda watch, note: contextlib.nullcontext()
calling.Local.read = lambda self: ()
""",
    **_of_trace(
        "from stridekit_course.exercises.ps3 import contiguity_trace as _module\n"
        "def contiguity_trace(size, stride):\n    return _module._reference(size, stride)"
    ),
    limit=_LIBRARY,
)
_forging(
    "reference-in-place-of-the-learners-run",
    first="""
from stridekit_grading.sandbox import learner
from stridekit_course.exercises.ps3 import contiguity_trace as _module
from stridekit_course.checks import callee, wire
old = learner.LearnerProcess._do_run
def run(self, asked):
    if asked["watch"] != "plain":
        return old(self, asked)
    cases = wire.decode_cases(asked["cases"])
    told = (callee.Outcome("value", _module._reference(*case.arguments)) for case in cases)
    return {"told": wire.told(callee.BatchOutcomes(tuple(told)))}
learner.LearnerProcess._do_run = run
""",
    **_of_trace(WRONG_TRACE),
    limit=_LIBRARY,
)
_forging(
    "reference-under-a-false-name",
    first="""
import types
from stridekit_course.exercises.ps3 import contiguity_trace as _module
_ask = types.FunctionType(
    (lambda size, stride: asked(size, stride)).__code__,
    {"__name__": "stridekit_grading.mine", "asked": _module._reference},
)
_ask.__module__ = "__main__"
""",
    **_of_trace("def contiguity_trace(size, stride):\n    return _ask(size, stride)"),
    **_LOST_TRACE,
    said="_reference",
)

# --- Resources.


def _resources(name: str, **rest: Any) -> None:
    entry(name, "resources", **rest)


_ENDED = {"status": PARTLY, **_LOST_TRACE}
_resources(
    "endless-loop-in-a-function",
    **_of_trace("def contiguity_trace(size, stride):\n    while True:\n        pass"),
    **_LOST_TRACE,
    said="does not return",
    budgets="patient",
)
_resources(
    "endless-loop-in-a-solution-cell",
    **_of_trace(TRACE + "\nwhile True:\n    pass"),
)
_resources(
    "loop-that-swallows",
    **_of_trace(
        "import signal\ndef contiguity_trace(size, stride):\n"
        "    signal.setitimer(signal.ITIMER_REAL, 0)\n    while True:\n        try:\n"
        "            while True:\n                pass\n        except BaseException:\n"
        "            pass"
    ),
    **_ENDED,
    said="computed for more than",
)
_resources(
    "loop-in-c",
    **_of_trace("def contiguity_trace(size, stride):\n    return sum(range(10**13))"),
    **_ENDED,
    said="computed for more than",
)
_resources(
    "answer-without-end",
    cells={"halves": "def halves(values):\n    return range(1, 10**13)"},
    status=PARTLY,
    **_LOST_HALVES,
    said="computed for more than",
)
_resources(
    "answer-that-is-too-much",
    **_of_trace(
        "large = [str(i) * 20_000 for i in range(1000, 2000)]\n"
        "def contiguity_trace(size, stride):\n    return [] if size else large"
    ),
    **_LOST_TRACE,
    said="contiguity_trace returns cannot be told: it is too much",
    budgets="patient",
)
for name, source in {
    "sleeps": "import time\ntime.sleep(10**6)",
    "sleeps-less": "import time\nwhile True:\n    time.sleep(0.0005)",
    "awaits-for-ever": "import asyncio\nawait asyncio.Event().wait()",
    "deadlock": "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
    "pipe-without-a-reader": "import os\nos.mkfifo('pipe')\nopen('pipe', 'w')",
    "waits-for-a-child": "import subprocess\nsubprocess.run(['sleep', '100000'])",
    "sleeps-and-swallows": "import time\nwhile True:\n    try:\n        time.sleep(10**6)\n"
    "    except BaseException:\n        pass",
    "becomes-a-program-that-sleeps": "import os\nos.execv('/bin/sleep', ['sleep', '1000'])",
}.items():
    _resources(name, first=source, shows="it waited for something that never came")
_resources(
    "waits-as-one-waits-for-a-disk",
    # Whoever has started a program by vfork, and no program begins.
    first="""
import ctypes
libc = ctypes.CDLL(None)
stack = ctypes.create_string_buffer(1 << 16)
function = ctypes.cast(libc.pause, ctypes.c_void_p)
libc.clone.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
libc.clone(function, ctypes.addressof(stack) + 60_000, 0x4000 | 17, None)
""",
    shows="it waited for something that never came",
)
_resources(
    "sleeps-most-of-the-time",
    first="import time\nwhile True:\n    end = time.process_time() + 0.01\n"
    "    while time.process_time() < end:\n        pass\n    time.sleep(0.07)",
    shows="it waited for something that never came",
    budgets="patient",
)
_resources(
    "sleeps-in-a-function",
    **_of_trace("import time\ndef contiguity_trace(size, stride):\n    time.sleep(10**6)"),
    **_ENDED,
    said="waited for something that never came",
)
_resources(
    "sleeps-in-plain-tests",
    cells={"halves": "import time\ndef halves(values):\n    time.sleep(10**6)"},
    status=PARTLY,
    **_LOST_HALVES,
    said="waited for something that never came",
)
for name, source in {
    "shared-and-let-go": "import mmap\nheld = mmap.mmap(-1, 2 * 10**9)\n"
    "for n in range(0, 10**9, 10**8):\n    held[n : n + 10**8] = bytes(10**8)\n"
    "    held.madvise(mmap.MADV_DONTNEED)",
    "of-children": "import os, time\nfor _ in range(4):\n    if os.fork() == 0:\n"
    "        held = b'x' * 300_000_000\n        time.sleep(100)",
    "in-what-nobody-accepts": "import socket\nasked = socket.socket(socket.AF_UNIX)\n"
    "asked.bind('\\0x')\nasked.listen(4096)\nfor _ in range(4000):\n"
    "    asks = socket.socket(socket.AF_UNIX)\n    asks.setblocking(False)\n"
    "    asks.connect('\\0x')\n    asks.send(bytes(100_000))\n    asks.close()",
    "in-what-many-send-to": "import socket\nheld = []\nfor number in range(200):\n"
    "    asked = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
    "    asked.bind(f'\\0{number}')\n    held.append(asked)\n    for _ in range(20):\n"
    "        asks = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
    "        asks.setblocking(False)\n        try:\n"
    "            asks.sendto(bytes(100_000), f'\\0{number}')\n"
    "        except OSError:\n            pass\n        asks.close()",
    # A page in each of many gigabytes: to read it takes no page, and two to note where it is.
    "of-what-tells-where-pages-lie": "import ctypes, os\nplace = ctypes.CDLL(None).mmap\n"
    "number = ctypes.c_int\nplace.restype = ctypes.c_void_p\n"
    "place.argtypes = place.restype, ctypes.c_size_t, number, number, number, ctypes.c_long\n"
    "os.fork()\nfor gigabyte in range(1, 60_000):\n"
    "    at = place(gigabyte << 30, 4096, 1, 0x104022, -1, 0)\n"
    "    if at == gigabyte << 30:\n        ctypes.c_char.from_address(at).value",
    "that-children-copy": "import ctypes, os, time\nmaps = []\n"
    "for line in open('/proc/self/maps'):\n    ends, rights = line.split()[:2]\n"
    "    if rights.startswith('rw-p') and '[' not in line:\n"
    "        maps.append([int(end, 16) for end in ends.split('-')])\n"
    "for _ in range(16):\n    if os.fork() == 0:\n        for low, high in maps:\n"
    "            for at in range(low, high, 4096):\n                ctypes.memmove(at, at, 1)\n"
    "        time.sleep(100)",
}.items():
    _resources(
        f"memory-{name}",
        first=source + "\nimport time\ntime.sleep(100)",
        shows="of memory",
        budgets="large",
    )
_COMPUTE = "    for _ in range({rounds}):\n        sum(range(10**6))\n    os._exit(0)\n"
_resources(
    "children-that-nobody-waits-for",
    first="import os, signal, time\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
    "for _ in range(60):\n    if os.fork() == 0:\n    "
    + _COMPUTE.format(rounds=8).replace("\n", "\n    ").rstrip()
    + "\n    time.sleep(0.2)",
    shows="it computed for more than",
)
_resources(
    "children-of-children",
    first="import os, time\nfor _ in range(60):\n    if os.fork() == 0:\n"
    "        if os.fork() == 0:\n            os.setsid()\n        "
    + _COMPUTE.format(rounds=8).replace("\n", "\n        ").rstrip()
    + "\n        os._exit(0)\n    os.wait()\n    time.sleep(0.2)",
    shows="it computed for more than",
)
_resources(
    "exits-in-a-function",
    said="exit status",
    **_ENDED,
    **_of_trace("import os\ndef contiguity_trace(size, stride):\n    os._exit(0)"),
)
_resources(
    "exits-in-a-solution-cell",
    said="exit status",
    **_ENDED,
    **_of_trace(TRACE + "\nimport os\nos._exit(0)"),
)
_resources(
    "segmentation-fault",
    **_of_trace("import ctypes\ndef contiguity_trace(size, stride):\n    ctypes.string_at(0)"),
    **_ENDED,
    said="Segmentation fault",
)
_resources(
    "recursion-without-end",
    **_of_trace(
        "import sys\nsys.setrecursionlimit(10**9)\n"
        "def contiguity_trace(size, stride):\n    return [contiguity_trace(size, stride)]"
    ),
    **_ENDED,
)
_resources(
    "aborts", **_of_trace(TRACE + "\nimport os\nos.abort()"), **_ENDED, said="ended its own process"
)
_resources(
    "another-program",
    **_of_trace(TRACE + "\nimport os\nos.execv('/bin/true', ['true'])"),
    **_ENDED,
    said="ended its own process",
)
_resources("quits-in-a-note-cell", first="quit()")
_resources("quits-in-a-solution-cell", **_of_trace(TRACE + "\nexit()"), **_ENDED, said="quit")
_resources("stops-itself", first="import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)")
_resources(
    "fork-bomb",
    first="import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass",
)
_resources(
    "one-after-the-other",
    # Whoever looks for it finds one that has ended.
    first="import os\nif os.fork() == 0:\n    while os.fork() == 0:\n        pass\n    os._exit(0)",
)
_resources(
    "daemon",
    first="""
import os, subprocess, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv("/bin/sleep", ["sleep", "@DAEMON@"])
    os._exit(0)
subprocess.Popen(["/bin/sleep", "@DAEMON@"], start_new_session=True)
""",
)
_resources("memory-bomb", first="x = []\nwhile True:\n    x.append(bytes(b'x') * 50_000_000)")
_resources(
    "memory-bomb-in-a-solution-cell",
    status=PARTLY,
    said="memory",
    budgets="large",
    **_LOST_TRACE,
    **_of_trace(TRACE + "\nx = b'x' * 1_000_000_000\nimport time; time.sleep(100)"),
)
_resources(
    "full-disk",
    first="with open('large', 'wb') as file:\n    for _ in range(1000):\n"
    "        file.write(bytes(1_000_000))",
)
_resources("flood", first="print('x' * 100, file=None)\nprint('y' * 30_000_000)")
_resources("flood-without-end", first="while True:\n    print('y' * 1000)")
_resources(
    "flood-of-pictures",
    first="from IPython.display import display\nfor n in range(3000):\n"
    "    display({'image/png': 'A' * 10_000}, raw=True)",
)
_resources(
    "just-under-the-limit",
    edit=lambda notebook: notebook["cells"].__setitem__(
        slice(2, 2),
        [
            code(
                "import time\nt = time.process_time()\nwhile time.process_time() - t < 0.3: pass",
                f"slow-{n}",
            )
            for n in range(8)
        ],
    ),
    budgets="sparing",
    status=PARTLY,
    lost=dict.fromkeys(FUNCTIONS, BOTH),
    said="the notebook computed for more than",
)
_resources(
    "answers-that-take-long-to-read",
    first="""
import struct
from stridekit_grading.sandbox import channel
told = b'{"outputs":[],"more":[' + b"[]," * 1_500_000 + b"[]]}"
told = struct.pack(">I", len(told)) + told
channel.Channel.send = lambda self, message: self.socket.sendall(told)
""",
    edit=lambda notebook: notebook["cells"].__setitem__(
        slice(2, 2), [code("", f"quick-{n}") for n in range(30)]
    ),
    budgets="sparing",
    status=PARTLY,
    lost=dict.fromkeys(FUNCTIONS, BOTH),
    said="the notebook computed for more than",
)
_fair(
    "shows-more-than-can-be-kept",
    edit=lambda notebook: notebook["cells"].__setitem__(
        slice(2, 2),
        [
            code(
                "__import__('IPython').display.display({'image/png': 'A' * 7_900_000}, raw=True)",
                f"large-{n}",
            )
            for n in range(5)
        ],
    ),
    shows="Left out here",
)
_resources("asks-in-a-note-cell", first="name = input('Your name? ')")
_resources(
    "asks-in-a-function",
    said="nobody answers input",
    **_LOST_TRACE,
    **_of_trace("def contiguity_trace(size, stride):\n    return input()"),
)
_resources(
    "network",
    first="""
import socket, urllib.request
for address in (("127.0.0.1", @PORT@), ("10.0.0.1", 80), ("1.1.1.1", 53)):
    try:
        socket.create_connection(address, timeout=2)
        print("STOLEN", address)
    except OSError:
        pass
try:
    socket.getaddrinfo("example.org", 80)
    print("STOLEN name")
except OSError:
    pass
print("TRIED")
""",
    tried=True,
)
_resources(
    "names-of-several-lines",
    first="import socket\nheld = []\nfor name in ('a\\nb', '\\0c\\n\\nd'):\n"
    "    held.append(socket.socket(socket.AF_UNIX))\n    held[-1].bind(name)\n"
    "    held[-1].listen()\nfor _ in range(10**7):\n    pass",
)
_resources(
    "keeps-what-no-process-has",
    # Memory that is shared in the manner of System V, semaphores, messages; files without a name;
    # pages in pipes and sockets, and larger ones; what happened to a folder, which nobody reads;
    # rules of Landlock, locks on parts of a file, and who may read it.
    first="""
import ctypes, fcntl, os, platform, socket, struct
libc = ctypes.CDLL(None)
size = ctypes.c_size_t(1 << 20)
made = [libc.shmget(0, size, 0o1600), libc.semget(0, 32000, 0o1600), libc.msgget(0, 0o1600)]
page = ctypes.create_string_buffer(4096)
part = (ctypes.c_void_p * 2)(ctypes.addressof(page), 4096)
pipe, file = os.pipe()[1], os.open("file", os.O_CREAT | os.O_RDWR)
os.write(file, bytes(4096))
end, other = socket.socketpair()
vmsplice, secret = {"x86_64": (278, 447), "aarch64": (75, 447)}.get(platform.machine(), (-1, -1))
made += [libc.memfd_create(b"x", 0), libc.syscall(secret, 0)]
made += [libc.syscall(vmsplice, pipe, part, 1, 0), libc.splice(file, None, pipe, None, 1, 0)]
made += [libc.sendfile(end.fileno(), file, None, 1), libc.inotify_init(), libc.inotify_init1(0)]
made += [libc.fanotify_init(0x200, 0), libc.syscall(444, struct.pack("Q", 1), 8, 0)]
for at in range(10):
    fcntl.lockf(file, fcntl.LOCK_EX, 1, 2 * at)
made += [-1 if "POSIX" not in open(f"/proc/self/fdinfo/{file}").read() else 0]
who = ((1, -1), (2, os.getuid()), (4, -1), (16, -1), (32, -1))
acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", kind, 6, each) for kind, each in who)
made += [libc.setxattr(b"file", b"system.posix_acl_access", acl, len(acl), 0)]
fcntl.fcntl(pipe, 1031, 1 << 20)
made += [fcntl.fcntl(pipe, 1032) - (1 << 20)]
before = end.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 24)
larger = end.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) > before
print("TRIED", "STOLEN" if larger or max(made) >= 0 else "", made)
""",
    tried=True,
)
# What a thread has by itself, with or without the first one of its process.
_resources(
    "memory-of-those-whose-first-thread-has-ended",
    first="""
import ctypes, os, platform, threading, time
end_thread = {"x86_64": 60, "aarch64": 93}.get(platform.machine())
def hold():
    held = [bytearray(b"x") * (50 << 20) for _ in range(9)]
    time.sleep(100)
for _ in range(3):
    if os.fork() == 0:
        threading.Thread(target=hold).start()
        ctypes.CDLL(None).syscall(end_thread, 0)
time.sleep(100)
""",
    shows="it took more than 1 GiB of memory",
    budgets="large",
)
_resources(
    "sockets-of-a-thread",
    first="""
import contextlib, ctypes, os, socket, threading, time
def hold():
    ctypes.CDLL(None).unshare(0x400)
    held = []
    with contextlib.suppress(OSError):
        while True:
            held += socket.socketpair()
    time.sleep(100)
for _ in range(20):
    threading.Thread(target=hold).start()
time.sleep(100)
""",
    shows="it took more than 1 GiB of memory",
    budgets="large",
)
_resources(
    "leaves-marks-for-others",
    # By what all learners' processes have in common: locks on files that all may read, who reads a
    # folder, keys, how much may be waited for, and when somebody touched a device.
    first="""
import ctypes, fcntl, os, platform
libc = ctypes.CDLL(None)
fcntl.flock(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_EX)
if os.fork() == 0:
    try:
        fcntl.flock(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os._exit(1)
    os._exit(0)
made = [os.wait()[1] - 1]
try:
    folder = os.open(os.path.dirname(os.__file__), os.O_RDONLY)
    made.append(fcntl.fcntl(folder, fcntl.F_NOTIFY, fcntl.DN_ACCESS))
except PermissionError:
    pass
add, request, control = {"x86_64": (248, 249, 250), "aarch64": (217, 218, 219)}.get(
    platform.machine(), (-1, -1, -1)
)
ring = ctypes.c_long(-3)
made += [libc.syscall(add, b"user", b"mark", b"mark", 4, ring), libc.syscall(control, 0, ring, 1)]
made += [libc.syscall(request, b"user", b"mark", None, 0)]
made += [libc.epoll_create(1), libc.epoll_create1(0)]
for path in ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/urandom", "/var/tmp"):
    try:
        os.utime(path)
        made.append(0)
    except OSError:
        continue
open("/dev/null", "wb").write(b"nothing")
print("TRIED", "STOLEN" if max(made) >= 0 else "", made)
""",
    tried=True,
)
_resources(
    "preloads",
    first="""
import os, subprocess
os.environ["LD_PRELOAD"] = os.path.abspath("mine.so")
open("mine.so", "wb").write(b"none")
subprocess.run(["/bin/true"])
""",
)
# Short to write, and long to look through: nobody waits for it. (Each took minutes, or hours.)
_resources(
    "long-to-look-through",
    first="from IPython.display import HTML, Markdown, display\n"
    "display(HTML('<div>' * 400_000))\ndisplay(Markdown('![' * 500_000))\n"
    "display(HTML('<p ' + ' '.join(f'a{n}=b' for n in range(200_000)) + '>'))\n"
    "print('SHOWN')",
    shows="SHOWN",
)
_resources(
    "a-book-of-code",
    edit=lambda notebook: notebook["cells"].append(code("x = 1\n" * 1_000_000, "book")),
    **_ALL_UNDECIDED,
    said="characters of code",
)
_DEEP = "deep = []\nfor _ in range({depth}):\n    deep = [deep]\n"
for depth in (300, 900):
    _resources(
        f"nested-{depth}",
        first="from IPython.display import display\n"
        + _DEEP.format(depth=depth)
        + "display({'application/json': deep, 'text/plain': 'x'}, raw=True)\n"
        "display({'text/plain': 'x'}, metadata={'a': deep}, raw=True)",
    )
