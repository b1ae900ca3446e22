"""Single lines of code that once told stridekit and torch apart, or might: they must agree.

`agreement.txt` holds them. Compared are what comes out, or the built-in class of what is raised; a
refusal of stridekit's is its own, with a sentence. What differs on purpose stands below, and in
`docs/model.md`.
"""

import copy
import math
import operator
import pickle
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

import stridekit as sk
from stridekit.errors import StridekitError, StridekitWarning

LINES = [
    line
    for line in Path(__file__).with_name("agreement.txt").read_text().splitlines()
    if line and not line.startswith("#")
]
KINDS = (
    MemoryError,
    OverflowError,
    NotImplementedError,
    AttributeError,
    RuntimeError,
    IndexError,
    ValueError,
    TypeError,
)


def described(value: Any) -> Any:
    if isinstance(value, torch.Size):
        return repr(tuple(value))
    if isinstance(value, tuple | list):
        return [type(value).__name__, *map(described, value)]
    if isinstance(value, torch.Tensor | sk.Tensor):
        few = value.numel() < 200 and max(value.shape, default=0) < 10_000
        return (
            tuple(value.shape),
            tuple(value.stride()),
            value.storage_offset(),
            str(value.dtype).partition(".")[2],
            repr(value.tolist()) if few else None,
        )
    return str(value).partition(".")[2] if "dtype" in type(value).__name__.lower() else repr(value)


def outcome(line: str, library: Any) -> Any:
    names = {"L": library, "np": np, "numpy": np, "torch": torch, "copy": copy}
    names |= {"math": math, "operator": operator, "pickle": pickle}
    *before, last = (part.strip() for part in line.split(";"))
    try:
        for part in before:
            exec(part, names)
        try:
            code = compile(last, "line", "eval")
        except SyntaxError:
            exec(last, names)
            return described(names.get("x"))
        return described(eval(code, names))
    except KINDS as error:
        own = isinstance(error, StridekitError)
        # What Python itself says of wrong arguments, or of another object, is not ours to say.
        assert library is torch or own or isinstance(error, TypeError), f"{line}: {error!r}"
        return {kind for kind in KINDS if isinstance(error, kind)}


@pytest.mark.parametrize("line", LINES)
def test_stridekit_does_as_torch_does(line):
    """The same header, values and dtype, or a refusal of the same class."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours, theirs = outcome(line, sk), outcome(line, torch)
    # Where torch raises now one class, now another, stridekit's exception is both.
    assert ours >= theirs if isinstance(ours, set) and isinstance(theirs, set) else ours == theirs


DIFFERENT = [
    ("x.view(2**63)", "whole numbers past 64 bits"),
    ("x.permute(2**63, 1)", "whole numbers past 64 bits"),
    ("sk.zeros(0).view(0, 2**62, 4)", "a stride goes past 64 bits"),
    ("x[sk.tensor([0, 1], dtype=sk.uint8)]", "a mask in torch and a list of indices in NumPy"),
    ("x[numpy.array([0.0, 1.0])]", "a tensor of float64"),
    ("x[[1.5]]", "a list of ints names elements"),
    ("sk.tensor([[], [1]])", "the lists are ragged"),
    ("x < 2", r"t\.torch\(\) gives a torch tensor .* which calculates and compares"),
    ("2 in x", r"t\.tolist\(\) gives plain numbers"),
    ("x + 1", "calculates with add_ and mul_ alone"),
    ("1 - x", "calculates with add_ and mul_ alone"),
    ("numpy.arange(3) * x", "calculates with add_ and mul_ alone"),
    ("x @ x", r"t\.torch\(\) gives a torch tensor"),
    ("-x", "calculates with add_ and mul_ alone"),
    ("x.sum()", r"t\.torch\(\)\.sum works on the same memory"),
    ("x.to('cuda:0')", "the computer's own, the cpu"),
    ("numpy.asarray(sk.zeros(2, dtype=sk.bfloat16))", "NumPy has no bfloat16"),
    ("sk.zeros(2**46)", "more memory than this computer gives"),
    ("sk.zeros(1).expand(2**50).clone()", "more memory than this computer gives"),
]


@pytest.mark.parametrize(("code", "sentence"), DIFFERENT)
def test_what_differs_is_refused_with_a_sentence(code, sentence):
    """The sentence, and an exception of stridekit's own."""
    with pytest.raises(StridekitError, match=sentence):
        eval(code, {"sk": sk, "numpy": np, "x": sk.zeros(2, 3)})


@pytest.mark.parametrize(
    "code",
    [
        "sk.zeros(2, 3, 4).T",
        "sk.zeros(2).copy_(sk.ones(2, dtype=sk.complex64))",
        "sk.zeros(2).fill_(sk.tensor(1j))",
        "sk.zeros(2)[...] = sk.ones(2, dtype=sk.complex64)",
        "sk.zeros(2)[0] = sk.tensor(1j)",
        "sk.ones(2, dtype=sk.complex64).to(sk.float32)",
        "sk.tensor(sk.ones(2, dtype=sk.complex64), dtype=sk.float32)",
        "sk.as_tensor(sk.ones(2, dtype=sk.complex64), dtype=sk.float32)",
        "sk.zeros(1).expand(3)[[0]] = 1",
        "sk.zeros(2, 2)[[[0, 1], [1, 0]]]",
        "sk.zeros(2, 2)[[[0, 1], [1, 0]]] = 1",
    ],
)
def test_torch_s_warnings_are_given(code):
    """What works, and most likely does not do what was meant: said of the line that does it."""
    with pytest.warns(StridekitWarning) as given:
        exec(compile(code, "the user's", "exec"), {"sk": sk})
    assert [each.filename for each in given] == ["the user's"]


def test_memory_that_is_held_does_not_go_stale():
    """resize_ is refused while somebody holds the memory, and changes nothing then."""
    x = sk.arange(2)
    held = x.untyped_storage().memory
    with pytest.raises(StridekitError, match="somebody holds its `memory`"):
        x.resize_(9)
    assert (x.tolist(), held.nbytes) == ([0, 1], 16)
    held.release()
    assert x.resize_(9)[:2].tolist() == [0, 1]


def test_arrays_and_capsules_are_the_same_memory():
    """No copy by any protocol: a write on one side is seen on the other."""
    x = sk.arange(6).view(2, 3)
    views = [
        np.asarray(x),
        np.from_dlpack(x),
        torch.from_dlpack(x),
        torch.as_tensor(x),
        np.asarray(SimpleNamespace(__array_interface__=x.__array_interface__)),
    ]
    x[1, 2] = 99
    assert [int(view[1, 2]) for view in views] == [99] * 5
    assert np.asarray(x.t()).strides == (8, 24)
    part = SimpleNamespace(__array_interface__=x[1:, ::2].__array_interface__)
    assert np.asarray(part).tolist() == [[3, 99]]
    there = torch.arange(3)
    here = sk.from_dlpack(there)
    there[0] = 7
    assert here.tolist() == [7, 1, 2]


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("sk.from_dlpack(torch.zeros(2, requires_grad=True))", "requires grad"),
        ("sk.as_tensor(torch.zeros(2, requires_grad=True))", "requires grad"),
        ("sk.from_dlpack(3)", "offers no memory by DLPack"),
        ("sk.zeros(2, requires_grad=True)", "without a history"),
        ("sk.zeros(2, nosuch=1)", "there is no keyword 'nosuch'"),
    ],
)
def test_protocols_and_options_refuse_with_a_sentence(code, sentence):
    """And an exception of stridekit's own."""
    with pytest.raises(StridekitError, match=sentence):
        eval(code, {"sk": sk, "numpy": np, "torch": torch, "x": sk.zeros(2, 3)})


def test_a_capsule_is_refused_as_its_maker_refuses_it():
    """Another device, a stream, and read-only memory for whoever cannot be told of it."""
    x, read_only = sk.zeros(2), sk.from_numpy(np.frombuffer(b"12345678", int))
    for asked in ({"stream": 1}, {"dl_device": (2, 0)}):
        with pytest.raises((AssertionError, BufferError, RuntimeError)):
            x.__dlpack__(**asked)
    with pytest.raises(BufferError, match="readonly"):
        read_only.__dlpack__()
    assert np.from_dlpack(read_only).flags.writeable is False


def test_what_torch_has_and_stridekit_has_not_leads_to_torch():
    """One sentence, as an AttributeError: the method that does it, or torch on the same memory."""
    for name in {name for name in dir(torch) if not name.startswith("_")} - {*dir(sk)}:
        with pytest.raises(AttributeError, match=f"stridekit has no '{name}'") as refusal:
            getattr(sk, name)
        method = f"A tensor t has it: t.{name}."
        function = f"If torch has it, torch.{name} works on t.torch(), the same memory"
        assert (method if hasattr(sk.Tensor, name) else function) in str(refusal.value)


def test_a_repr_is_short_however_many_rows():
    """Rows without elements are not written out."""
    assert len(repr(sk.zeros(2**40, 0))) < 100
