"""`%load_ext stridekit` and `%%layout` in a real kernel."""

import re

import nbformat
import pytest
from nbclient import NotebookClient

from tests.course.notebooks.notebooks import WarmKernels

CELLS = {
    "before": "import torch\nx = torch.arange(12).view(3, 4).t()\nx.view(12)",
    "load": "%load_ext stridekit",
    "nothing loaded": "import sys\n'stridekit.own_code.failures' in sys.modules",
    "view": "x.view(12)",
    "function": "def f(y):\n    return [y.view(12) for _ in range(2)]\nf(x)",
    "forward": (
        "class Net(torch.nn.Module):\n    def forward(self, y):\n        return y.view(12)\n"
        "Net()(x)"
    ),
    "again": "%load_ext stridekit",
    "twice": "import stridekit\nstridekit.load_ipython_extension(get_ipython())\nx.view(12)",
    "minimal": "%xmode Minimal\nx.view(12)",
    "verbose": "%xmode Verbose\nx.view(12)",
    "plain": "%xmode Context\n1 / 0",
    "syntax": "x.view(1)) + x.view(",
    "interrupt": "raise KeyboardInterrupt",
    "exit": "raise SystemExit(3)",
    "chained": "try:\n    x.view(12)\nexcept RuntimeError as e:\n    raise ValueError from e",
    "one line": "z = x.t(); x.view(12); z = 1",
    "loop in one line": "for _ in torch.utils.data.DataLoader([x, x[:2]], 2): pass",
    "format": "print(f'{x:.2f}')",
    "while in one line": "class Y: m = x\ny = Y()\nwhile y.m: pass",
    "comparisons": "if 0 <= x <= 5:\n    pass",
    "saved": "for n in (12, 6):\n    try:\n        x.view(n)\n    except RuntimeError as e:\n"
    "        first = e if n == 12 else first\nraise first",
    "await": "import asyncio\nawait asyncio.sleep(0)\nx.view(12)",
    "run_cell": "get_ipython().run_cell('x.view(12)')\n'went on'",
    "timed": "%%time\nz = x.t()\nx.view(12)",
    "timed line": "%time x.view(12)",
    "timed function": "%%time\ndef g(y):\n    return y.view(12)\ng(x)",
    "captured": "%%capture\nx.view(12)",
    "fine": "1 + 1",
    "layout": (
        "%%layout\na = torch.arange(6).view(2, 3)\nb = a.t()\nc = b.contiguous()\nb[0, 0] = 7\n"
        "a.t_()\nc.sum()\nfor n in range(2):\n    d = torch.zeros(n + 1)\ne = a.numpy()\n"
        "f = c.clone()\nc.data = f\nb"
    ),
    "layout hard": (
        "%%layout\nfrom __future__ import annotations\nclass Evil(torch.Tensor):\n"
        "    @classmethod\n    def __torch_function__(cls, *given): raise SystemError\n"
        "evil = torch.zeros(2).as_subclass(Evil)\n"
        "nest = torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)])\n"
        "bare = torch.zeros(3, device='meta')\nkept = {'k': [torch.zeros(1)]}\n"
        "for _ in range(300):\n    kept['k'][0].add_(1)\n"
        "get_ipython().run_cell('%%layout\\nq = 1')\nlast = torch.zeros(4)\nlast;"
    ),
    "layout clean": "del evil, nest",
    "layout fails": "%%layout\nz = x.t()\nx.view(12)\nnever = 1",
    "layout words": "%%layout words\n1",
    "layout await": "%%layout\nawait asyncio.sleep(0)",
    "layout nothing": "%%layout\ny = 5",
    "broken": (
        "from stridekit.own_code import failures\nreal = failures.reason_of\n"
        "failures.reason_of = lambda error: 1 / 0\nx.view(12)"
    ),
    "mended": "failures.reason_of = real",
    "reload": "%reload_ext stridekit\nx.view(12)",
    "unload": "%unload_ext stridekit\nx.view(12)",
    "no magic": "%%layout\n1",
}


@pytest.fixture(scope="module")
def outputs():
    """What each cell gave, in one kernel."""
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(c) for c in CELLS.values()]
    )
    NotebookClient(
        notebook, timeout=300, allow_errors=True, kernel_manager_class=WarmKernels
    ).execute()
    return dict(zip(CELLS, (cell.outputs for cell in notebook.cells), strict=True))


def reasons(given):
    """The texts of the reasons among a cell's outputs, in their order."""
    texts = [o.data["text/plain"] for o in given if o.output_type == "display_data"]
    return [text for text in texts if text.startswith("Why, in memory")]


def errors(given):
    """The names of a cell's errors."""
    return [o.ename for o in given if o.output_type == "error"]


@pytest.mark.parametrize(
    "name",
    [
        "view",
        "function",
        "forward",
        "twice",
        "minimal",
        "verbose",
        "one line",
        "await",
        "chained",
        "timed",
        "timed line",
        "captured",
        "reload",
    ],
)
def test_the_reason_stands_under_the_traceback(outputs, name):
    """Once, below the error, as text and as a picture with alt text."""
    kinds = [o.output_type for o in outputs[name] if o.output_type != "stream"]
    assert kinds == ["error", "display_data"]
    (reason,) = reasons(outputs[name])
    assert "dims 0 and 1 cannot merge" in " ".join(reason.split())
    assert "storage · 12 elements" in reason
    page = outputs[name][-1].data["text/html"]
    assert re.search('<img alt="[^"]*Tensor', page)
    assert errors(outputs[name]) == ["ValueError" if name == "chained" else "RuntimeError"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        # What fails when it asks for the next item has the place of the whole loop.
        ("loop in one line", "stack lays tensors of one size"),
        ("format", "A format such as .2f is for one number"),
        ("while in one line", "y.m has size (4, 3). One truth is made of one element"),
        ("comparisons", "One truth is made of one element"),
    ],
)
def test_what_is_told_of_the_place_alone(outputs, name, said):
    """Of these no instruction has an expression."""
    (reason,) = reasons(outputs[name])
    assert said in " ".join(reason.split())


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("before", "RuntimeError"),
        ("plain", "ZeroDivisionError"),
        ("syntax", "SyntaxError"),
        ("interrupt", "KeyboardInterrupt"),
        ("exit", "SystemExit"),
        ("unload", "RuntimeError"),
        ("saved", "RuntimeError"),
        ("timed function", "RuntimeError"),
    ],
)
def test_the_traceback_stands_alone(outputs, name, error):
    """Before it is loaded, after it is unloaded, and where memory is not to blame."""
    if name != "exit":
        assert errors(outputs[name]) == [error]
    assert reasons(outputs[name]) == []


def test_it_costs_nothing_while_nothing_fails(outputs):
    """What explains is not even loaded before something fails."""
    (output,) = outputs["nothing loaded"]
    assert output.data["text/plain"] == "False"
    assert [o.output_type for o in outputs["fine"]] == ["execute_result"]


def test_a_cell_run_by_a_cell_is_explained_once(outputs):
    """`run_cell` shows its own traceback, and the cell goes on."""
    assert len(reasons(outputs["run_cell"])) == 1
    assert outputs["run_cell"][-1].data["text/plain"] == "'went on'"


def test_our_own_fault_hides_nothing(outputs):
    """The traceback is there, and one sentence that says whose fault it was."""
    assert errors(outputs["broken"]) == ["RuntimeError"]
    (said,) = reasons(outputs["broken"])
    assert "failed itself, with ZeroDivisionError" in said


def test_layout_line_by_line(outputs):
    """Assignments, expressions, loops, writes, changed headers and memory; what shares memory."""
    (table,) = [
        o.data["text/plain"]
        for o in outputs["layout"]
        if o.output_type == "display_data" and o.data["text/plain"].startswith("line")
    ]
    first = "size (2, 3) · stride (3, 1) · offset 0 · int64"
    assert table.splitlines() == [
        f"line 1: a · {first}",
        "    memory of its own, 48 bytes",
        "line 2: b · size (3, 2) · stride (1, 3) · offset 0 · int64",
        "    shares memory with a",
        "line 3: c · size (3, 2) · stride (2, 1) · offset 0 · int64",
        "    memory of its own, 48 bytes",
        f"line 4: a · {first}",
        "    written in place, which b sees too",
        "line 5: a · size (3, 2) · stride (1, 3) · offset 0 · int64",
        f"    the header changed in place; it was {first}",
        "line 6: c.sum() · size () · stride () · offset 0 · int64",
        "    memory of its own, 8 bytes",
        "line 8: d · size (1,) · stride (1,) · offset 0 · float32",
        "    memory of its own, 4 bytes",
        "line 8: d · size (2,) · stride (1,) · offset 0 · float32",
        "    memory of its own, 8 bytes",
        "line 9: e · size (3, 2) · stride (1, 3) · offset 0 · int64",
        "    shares memory with a, b",
        "line 10: f · size (3, 2) · stride (2, 1) · offset 0 · int64",
        "    memory of its own, 48 bytes",
        "line 11: c · size (3, 2) · stride (2, 1) · offset 0 · int64",
        "    shares memory with f",
    ]
    (shown,) = [o for o in outputs["layout"] if o.output_type == "execute_result"]
    assert shown.data["text/plain"].startswith("tensor([[7, 3]")
    page = next(o.data["text/html"] for o in outputs["layout"] if o.output_type == "display_data")
    assert '<th scope="col"' in page


def test_layout_never_breaks_a_cell(outputs):
    """Classes that answer wrongly, tensors without strides, long loops, a cell in a cell."""
    assert errors(outputs["layout hard"]) == []
    texts = [o.data["text/plain"] for o in outputs["layout hard"] if "data" in o]
    assert texts[0].startswith("layout: this cell made no tensor")
    (table,) = texts[1:]
    assert [line for line in table.splitlines() if line.startswith("line")] == [
        "line 5: evil · size (2,) · stride (1,) · offset 0 · float32",
        "line 6: nest · what is stored in several tensors has no stride of its own",
        "line 7: bare · size (3,) · stride (1,) · offset 0 · float32",
        "line 8: kept['k'][0] · size (1,) · stride (1,) · offset 0 · float32",
        "line 10: kept['k'][0] · size (1,) · stride (1,) · offset 0 · float32 ×300",
        "line 12: last · size (4,) · stride (1,) · offset 0 · float32",
    ]


def test_layout_of_a_cell_that_fails(outputs):
    """The traceback, the reason, what was made until then; and the cell counts as failed."""
    assert errors(outputs["layout fails"]) == ["RuntimeError", "CellFailed"]
    assert len(reasons(outputs["layout fails"])) == 1
    texts = [o.data["text/plain"] for o in outputs["layout fails"] if "data" in o]
    assert any(text.startswith("line 1: z") for text in texts)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("layout words", "%%layout takes nothing on its line"),
        ("layout await", "take await out"),
        ("layout nothing", "made no tensor and changed none"),
        ("no magic", "`%%layout` not found"),
    ],
)
def test_what_layout_refuses(outputs, name, said):
    """With a sentence."""
    texts = [o.get("text", "") + str(o.get("data", "")) for o in outputs[name]]
    assert said in "".join(texts)
