"""Why something failed: the reason for each family of refusals, and none where nothing is known."""

import ast
import gc
import re
import weakref

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.lib.stride_tricks import as_strided

import stridekit as sk
from stridekit.layouts.view_rule import Obstacle, plan_view
from stridekit.own_code.failures import reason_of
from tests.extras.cells import failure
from tests.stridekit.test_watch import started

REFUSED = [
    ("x = torch.zeros(3, 4).t()\nx.view(12)", "dims 0 and 1 cannot merge"),
    ("torch.arange(12).view(3, 4).t().view(12)", "dims 0 and 1 cannot merge"),
    ("x = torch.zeros(3, 4).t()\ntorch.Tensor.view(x, 12)", "dims 0 and 1 cannot merge"),
    ("x = torch.zeros(3, 4).t()\nx.view(size=(2, 6))", "cannot merge"),
    ("x = torch.zeros(3, 4).t()\nx.view_as(torch.zeros(12))", "cannot merge"),
    ("x = torch.zeros(2, 3, 4, 5)\nb, *r = x.shape\nx.transpose(1, 2).view(b, -1)", "dims 2 and 3"),
    ("x = torch.zeros(3, 4)\nx.view(5)", "holds 5 elements, and the tensor has 12"),
    ("x = torch.zeros(3, 4)\ntorch.reshape(x, (5, 2))", "holds 10 elements"),
    ("torch.ones(3).unflatten(0, (2, 2))", "The sizes (2, 2) do not multiply to 3"),
    ("torch.ones(3, 5).unflatten(-1, (2, -1))", "do not multiply to 5, the size of dim 1"),
    ("torch.zeros(2, 3, 4).bmm(torch.zeros(3, 4, 5))", "one matrix after another: 2 is not 3"),
    ("torch.zeros(2, 3, 4) @ torch.zeros(3, 4, 5)", "all dims but the last two broadcast"),
    ("x = torch.zeros(3, 4)\nx.t().view(torch.int16)", "stride[-1] is 4"),
    ("x = torch.zeros(3, 3)\nx.view(dtype=torch.float64)", "size[-1] is 3"),
    ("torch.tensor(1.0).view(torch.int16)", "rank 0"),
    ("torch.zeros(3, 2).expand(3, 4)", "dim 1 would go from 2 to 4"),
    ("torch.zeros(3, 2).expand(4)", "none of which can be dropped"),
    ("torch.zeros(3, 2).expand_as(torch.zeros(3, 4))", "dim 1 would go from 2 to 4"),
    ("torch.broadcast_to(torch.zeros(2), (3,))", "dim 0 would go from 2 to 3"),
    ("a, b = torch.zeros(3, 2), torch.zeros(3)\na + b", "dim -1 is 2 in one and 3"),
    ("torch.add(torch.zeros(3, 2), torch.zeros(3))", "dim -1 is 2 in one and 3"),
    ("torch.zeros(2, 3) > torch.zeros(2)", "dim -1 is 3 in one and 2"),
    ("torch.where(torch.ones(3) > 0, torch.zeros(2), 1.0)", "dim -1 is 3 in one and 2"),
    ("torch.broadcast_tensors(torch.zeros(3), torch.zeros(2))", "dim -1 is 3 in one and 2"),
    ("torch.lerp(torch.zeros(3), torch.zeros(2), 0.5)", "dim -1 is 3 in one and 2"),
    ("a = torch.zeros(3)\na += torch.zeros(2, 3)", "a keeps its size (3,)"),
    ("a = torch.zeros(2, 3)\na[0] = torch.zeros(2)", "a[0] has size (3,)"),
    ("a = torch.zeros(3)\na.copy_(torch.zeros(2))", "a has size (3,)"),
    ("a = torch.zeros(2, 3)\na.masked_fill_(torch.ones(3, 2) > 0, 1)", "a has size (2, 3)"),
    (
        "torch.zeros(3, 2) @ torch.zeros(3, 2)",
        "the last dim but one of torch.zeros(3, 2): 2 is not 3",
    ),
    ("nn.Linear(3, 4)(torch.zeros(2, 4))", "4 is not 3"),
    ("torch.bmm(torch.zeros(2, 3, 4), torch.zeros(2, 3, 4))", "last dim but one"),
    (
        "a = torch.zeros(3).expand(2, 3)\na.add_(1)",
        "stride (0, 1). It is written to, and several of its elements are one in memory",
    ),
    ("a = torch.zeros(3).expand(2, 3)\na += 1", "cannot take several values"),
    ("a = torch.zeros(3).expand(2, 3)\na[:] *= 2", "as all are along a stride of 0"),
    (
        "a = torch.zeros(1).expand(3)\ntorch.add(torch.ones(3), 1, out=a)",
        "a has size (3,), stride (0,)",
    ),
    ("x = torch.zeros(5)\nx[1:] += x[:-1]", "share some of their memory, shifted"),
    ("x = torch.zeros(5)\nx[1:].add_(x[:-1])", "x[:-1] is read while x[1:] is written to"),
    ("x = torch.zeros(3, requires_grad=True)\nx.numpy()", "x requires grad"),
    ("x = torch.zeros(3, requires_grad=True)\nnp.asarray(x)", "x requires grad"),
    ("x = torch.zeros(3, dtype=torch.cfloat).conj()\nx.numpy()", "lazy conjugate"),
    ("x = torch.zeros(3, dtype=torch.cfloat).conj().imag\nx.numpy()", "lazy negative"),
    ("x = torch.zeros(3, dtype=torch.bfloat16)\nx.numpy()", "NumPy has no bfloat16"),
    ("x = torch.zeros(3, device='meta')\nx.numpy()", "without memory"),
    ("a = np.arange(6)[::-1]\ntorch.from_numpy(a)", "along dim 0 it goes backwards"),
    ("a = np.arange(6)\ntorch.as_tensor(a[::-2])", "goes backwards"),
    ("a = np.arange(6, dtype='>i4')\ntorch.from_numpy(a)", "another machine"),
    ("x = torch.zeros(12)\nx.as_strided((3, 4), (5, 1))", "reaches position 13"),
    ("torch.as_strided(torch.zeros(12), (3, 4), (4, 1), 1)", "reaches position 12"),
    ("torch.zeros(12).as_strided((3,), (-1,))", "Stride (-1,) is negative"),
    (
        "x = torch.zeros(3, 4, 4)\nx.to(memory_format=torch.channels_last)",
        "x has size (3, 4, 4). channels_last is an order of 4 dims, (N, C, H, W)",
    ),
    ("torch.empty(2, 3, memory_format=torch.channels_last)", "channels_last is an order of 4 dims"),
    ("x = torch.zeros(3, 4)\nx.contiguous(memory_format=torch.channels_last_3d)", "5 dims"),
    ("x = torch.zeros(3, requires_grad=True)\nx.resize_(4)", "behind autograd's back"),
    ("x = torch.from_numpy(np.zeros(3))\nx.resize_(40)", "not torch's to grow"),
    ("np.ones((3, 2)) + np.ones(3)", "dim -1 is 2 in one and 3"),
    ("np.broadcast_to(np.zeros(2), 4)", "dim 0 would go from 2 to 4"),
    ("a = np.zeros((3, 2))\na[0] = np.zeros(3)", "a[0] has size (2,)"),
    ("a = np.zeros(3)\na += np.zeros((2, 3))", "a keeps its size (3,)"),
    ("a = np.arange(12).reshape(3, 4).T\na.reshape(12, copy=False)", "cannot merge"),
    ("np.arange(12).reshape(5)", "holds 5 elements"),
    ("a = np.arange(12, dtype=np.float32).reshape(3, 4).T\na.view(np.float64)", "stride[-1] is 4"),
    (
        "a = np.broadcast_to(np.arange(3), (2, 3))\na[0, 0] = 1",
        "stride (0, 1). It cannot be written to",
    ),
    (
        "a = np.frombuffer(b'1234', np.uint8)\na[0] = 1",
        "where its owner lends it for reading",
    ),
    ("a = np.zeros(3)\na.flags.writeable = False\na.sort()", "flag writeable is off"),
    ("np.zeros((2, 3)) @ np.zeros((2, 3))", "last dim but one of np.zeros((2, 3)): 3 is not 2"),
]


# There is no tensor yet, or none that one may look at any more.
WITHOUT_PICTURE = {"channels_last is an order of 4 dims", "not torch's to grow"}


@pytest.mark.parametrize(("source", "said"), REFUSED)
def test_the_reason_is_said_and_drawn(source, said):
    """In a sentence with the numbers, and a picture with its text and its alt text."""
    reason = reason_of(failure(source))
    assert reason is not None
    assert said in reason.sentence
    assert reason.sentence.endswith((".", "?"))
    if said not in WITHOUT_PICTURE:
        assert "size" in reason.diagram.alt
        assert reason.diagram.text() in repr(reason)
        assert "<img alt=" in reason._repr_html_()
    assert max(map(len, repr(reason).partition("\n\n")[0].splitlines())) <= 88


def test_where_it_happens_does_not_matter():
    """In a function, a forward, a comprehension, a lambda, an attribute, a dict, a list."""
    sources = [
        "def f(y):\n    return y.view(12)\nf(x)",
        "[part.view(12) for part in [x, x]]",
        "(lambda y: y.view(12))(x)",
        "class Net(nn.Module):\n    def forward(self, y):\n        return y.view(12)\nNet()(x)",
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.w = nn.Parameter(torch.zeros(3, 4))\n"
        "    def forward(self):\n        return self.w.t().view(12)\nNet()()",
        "kept = {'x': x}\nkept['x'].view(12)",
        "kept = [x, x]\nkept[-1].view(12)",
        "if (y := x) is not None:\n    y.view(12)",
        "from types import SimpleNamespace\nkept = SimpleNamespace(x=x)\nkept.x.view(12)",
        "try:\n    x.view(12)\nexcept RuntimeError as e:\n    raise ValueError from e",
        "try:\n    x.view(12)\nexcept RuntimeError:\n    raise ValueError",
        "try:\n    x.view(12)\nexcept RuntimeError as e:\n    raise ExceptionGroup('g', [e])",
        "n = 12\nx.view(\n    n // 1,\n)",
        "torch.cat([x, x]).t().view(-1)",
    ]
    for source in sources:
        reason = reason_of(failure("x = torch.zeros(3, 4).t()\n" + source))
        assert reason is not None, source
        assert "cannot merge" in reason.sentence, source


NOTHING_TO_SAY = [
    "1 / 0",
    "raise RuntimeError('view size is not compatible with nothing')",
    "raise ValueError('operands could not be broadcast together')",
    "def view(n):\n    raise RuntimeError('view size is not compatible with')\nview(3)",
    "try:\n    torch.zeros(3, 4).t().view(12)\nexcept RuntimeError:\n    raise KeyError from None",
    "import torch.nope",
    # stridekit's own errors say it all.
    "sk.arange(8).view(2, 4).t().view(8)",
    "[][1]",
    "x = torch.zeros(3)\ny = " + "x + " * 600 + "torch.zeros(2)",
    "x = torch.zeros(3, 4).t()\neval('x.view(12)')",
]


@pytest.mark.parametrize("source", NOTHING_TO_SAY)
def test_nothing_is_said_where_nothing_is_known(source):
    """The traceback stands alone."""
    assert reason_of(failure(source)) is None


def test_nothing_of_the_users_runs_twice():
    """No call, property, item or comparison of the user's own; no random number is drawn."""
    ran = []

    class Loud:
        """Says whatever is asked of it."""

        def __init__(self):
            self.plain = torch.zeros(3, 4).t()

        def __getattr__(self, name):
            ran.append(name)
            return torch.zeros(3, 4).t()

        def __getitem__(self, key):
            ran.append(key)
            return torch.zeros(3, 4).t()

        @property
        def computed(self):
            """Asked."""
            ran.append("computed")
            return torch.zeros(3, 4).t()

        def __eq__(self, other):
            ran.append("==")
            return True

        def __hash__(self):
            ran.append("hash")
            return hash("x")

        def __bool__(self):
            ran.append("bool")
            return True

        def __call__(self):
            ran.append("call")
            return torch.zeros(3, 4).t()

    class OwnList(list):
        """A list with a say."""

        def __getitem__(self, key):
            ran.append("own")
            return super().__getitem__(key)

    class OwnTensor(torch.Tensor):
        """A tensor with a say."""

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            ran.append(func)
            return super().__torch_function__(func, types, args, kwargs or {})

    class LoudError(RuntimeError):
        """An error with a say."""

        def __str__(self):
            ran.append("str")
            return "view size is not compatible with"

        @property
        def obstacle(self):
            """Asked."""
            ran.append("obstacle")

    names = {
        "LoudError": LoudError,
        "loud": Loud(),
        "own": OwnList([torch.zeros(3, 4).t()]),
        "kept": {Loud(): torch.zeros(3, 4).t(), "x": torch.zeros(3, 4).t()},
        "tensor": torch.zeros(3, 4).t().as_subclass(OwnTensor),
    }
    sources = [
        "loud.missing.view(12)",
        "loud[0].view(12)",
        "loud.computed.view(12)",
        "loud().view(12)",
        "own[0].view(12)",
        "kept['x'].view(12)",
        "tensor.view(12)",
        "torch.stack([torch.zeros(2, 3) for _ in [1] if loud]).t().view(6)",
        "torch.stack([torch.zeros(2, 3) if loud else loud]).t().view(6)",
        "loud and torch.zeros(3, 4).t().view(12)",
        "(loud == 3) + torch.zeros(2)[:, None].view(5)",
        "x = torch.zeros(3, 4).t()\ndef view(x):\n    raise LoudError(loud)\nview(x)",
    ]
    for source in sources:
        error = failure(source, **names)
        ran.clear()
        reason_of(error)
        assert ran == [], source
    plain = reason_of(failure("loud.plain.view(12)", **names))
    assert "cannot merge" in plain.sentence
    before = torch.get_rng_state()
    error = failure("torch.rand(3, 4).t().view(12)")
    drawn = torch.get_rng_state()
    assert not torch.equal(before, drawn)
    assert "cannot merge" in reason_of(error).sentence
    assert torch.equal(torch.get_rng_state(), drawn)


def test_the_users_tensors_stay_as_they_are():
    """Values, versions, headers, gradients: nothing is written, in place or otherwise."""
    x = torch.arange(12.0).view(3, 4)
    version = x._version
    reason = reason_of(failure("x.mul_(2).t_().view(12)", x=x.clone()))
    assert reason is None or "merge" in reason.sentence
    error = failure("x.t().view(12)", x=x)
    reason = reason_of(error)
    assert x._version == version
    assert x.tolist() == torch.arange(12.0).view(3, 4).tolist()
    assert "11" in reason.diagram.text()


def test_what_a_library_was_given_is_drawn_with_its_values():
    """Also where it reads them off a tuple that it makes."""
    reason = reason_of(failure("x = torch.full((3,), 7.0, requires_grad=True)\nplt.plot(x)"))
    assert reason.diagram.text().count("7.0") == 6


@pytest.mark.parametrize(
    ("source", "header"),
    [
        ("(a.T > 1).reshape(5)", "shape (2000, 3000) · byte_strides (1, 2000)"),
        ("(whole / 2).reshape(5)", "byte_strides (16_000, 8) · byte offset 0 · float64"),
        ("(a @ a.T).reshape(5)", "shape (3000, 3000) · byte_strides (12_000, 4)"),
        ("np.random.rand(3, 2).T.reshape(5)", "shape (2, 3) · byte_strides (8, 16)"),
        (
            "np.random.randint(0, 9, (3, 2)).reshape(5)",
            "byte_strides (16, 8) · byte offset 0 · int",
        ),
        ("(np.random.random((3, 2)) + 1).sum(axis=1).reshape(5)", "shape (3,) · byte_strides (8,)"),
    ],
)
def test_of_what_is_not_computed_again_the_header_is_drawn(source, header):
    """Large arrays and random ones: no value is shown that was not there."""
    whole, a = np.ones((3000, 2000), np.int32), np.ones((3000, 2000), np.float32)
    reason = reason_of(failure(source, a=a, whole=whole))
    assert header in reason.diagram.text()
    assert re.search(r"slot +0 +1 +2 ", reason.diagram.text() + " ")
    assert "cells show positions" in reason.diagram.text()


def test_beside_what_is_not_computed_again_the_users_own_has_its_values():
    """And the header of the other says what its cells show."""
    text = reason_of(failure("q = torch.full((2, 3), 7.0)\nq @ torch.ones(2, 3)")).diagram.text()
    own, other = text.split("torch.ones(2, 3) · ")
    assert own.count("7.0") == 12
    assert "cells show positions" in other
    assert "cells show positions" not in own


def test_modules_that_hold_each_other_are_looked_through_once():
    """A part that knows its whole, and what somebody keeps on a layer."""
    held = []

    class Kept:
        """Says when it is copied."""

        def __deepcopy__(self, memo):
            held.append(memo)
            return self

    inner, outer = torch.nn.Sequential(torch.nn.Linear(3, 4)), torch.nn.ModuleList()
    outer.append(inner)
    inner[0].whole = outer
    assert "5 is not 3" in reason_of(failure("m(x)", m=inner, x=torch.zeros(2, 5))).sentence
    assert reason_of(failure("m(x).view(7)", m=inner, x=torch.zeros(2, 3))) is None
    layer = torch.nn.Linear(3, 4)
    layer.kept = Kept()
    assert (
        "size (2, 4)" in reason_of(failure("m(x).view(7)", m=layer, x=torch.zeros(2, 3))).sentence
    )
    assert held == []


def test_vast_tensors_cost_nothing():
    """No memory is taken for what is only looked at."""
    error = failure("torch.zeros(2, 1).expand(2, 10**10).t().view(-1)")
    assert "cannot merge" in reason_of(error).sentence
    error = failure("r, x = range(10**30), torch.zeros(3)\n(r, x)[1].view(r[7])")
    assert "7 elements" in reason_of(error).sentence
    error = failure("torch.zeros(3).view(len(rows))", rows=[[0.0] * 10_000] * 9_000)
    assert "9000 elements" in reason_of(error).sentence
    error = failure("np.broadcast_to(np.zeros(1), (10**12, 2)) + np.zeros(3)")
    assert "dim -1 is 2 in one and 3" in reason_of(error).sentence
    error = failure("(a[:, None] == a).reshape(5)", a=np.zeros(3000))
    assert "has size (3000, 3000)" in reason_of(error).sentence
    assert "the array has 9000000" in reason_of(error).sentence
    sizes = [(10**7, 10**6), (10**6, 10**7)]
    vast, turned = (as_strided(np.zeros(1), size, (0, 0)) for size in sizes)
    error = failure("a[:] = b", a=vast, b=turned)
    assert "a[:] keeps its size (10000000, 1000000)" in reason_of(error).sentence


def test_of_a_large_tensor_no_memory_is_touched():
    """What stands for its storage is not filled: torch.empty takes none before it is written."""
    program = (
        "import torch\n"
        "from stridekit.own_code.failures import reason_of\n"
        "from tests.extras.cells import failure\n"
        "def peak():\n"
        "    told = open('/proc/self/status').read()\n"
        "    return int(told.split('VmHWM:')[1].split()[0])\n"
        "print(reason_of(failure('x.t().view(-1)', x=torch.zeros(3, 4))).sentence)\n"
        "x = torch.empty(10**5, 10**4)\n"
        "error, before = failure('x.t().view(-1)', x=x), peak()\n"
        "print(reason_of(error).sentence)\n"
        "print(peak() - before)\n"
    )
    _, sentence, kibibytes = started(program).stdout.splitlines()
    assert "has size (10000, 100000), stride (1, 10000)" in sentence
    assert int(kibibytes) < 400_000


@given(
    size=st.lists(st.integers(1, 4), min_size=2, max_size=4),
    data=st.data(),
)
def test_a_view_is_explained_just_when_it_is_refused(size, data):
    """Over random permutations and sizes: the seam that is named is that of the view rule."""
    dims = data.draw(st.permutations(range(len(size))))
    x = torch.zeros(size).permute(dims)
    new = data.draw(st.sampled_from([(-1,), (x.shape[0], -1), (-1, x.shape[-1])]))
    plan = plan_view(sk.Layout.of(tuple(x.shape), x.stride()), new)
    assume(isinstance(plan, Obstacle))
    reason = reason_of(failure("x.view(new)", x=x, new=new))
    assert plan.reason in reason.sentence


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def f(y):\n    try:\n        y.view(12)\n    finally:\n        y = 0\nf(x)", False),
        ("def f(y):\n    try:\n        y.view(12)\n    except RuntimeError:\n        y = y.t()\n"
         "        y = x\n        raise\nf(x)", False),
        ("def f(y):\n    try:\n        y.view(12)\n    except RuntimeError:\n        y.t_()\n"
         "        raise\nf(x.clone())", False),
        ("def f(y):\n    try:\n        y.view(12)\n    except RuntimeError:\n        y.shape\n"
         "        raise\nf(x)", True),
        ("for y in [x]:\n    try:\n        y.view(12)\n    except RuntimeError as e:\n"
         "        raise ValueError from e", True),
        ("for y in [x, x]:\n    try:\n        y.view(12)\n    except RuntimeError as e:\n"
         "        last = e\nraise last", False),
        ("try:\n    x.view(12)\nexcept RuntimeError as e:\n    k = e\nx = x.T\nraise k", False),
        ("try:\n    x.view(12)\nexcept RuntimeError as e:\n    k = e\ny = x.T\nraise k", True),
        ("y = x\ny.view((y := torch.zeros(12)).numel())", False),
        ("torch.vmap(lambda y: y.view(3))(torch.zeros(2, 2, 2).transpose(1, 2))", False),
        ("torch.func.grad(lambda y: y.t().view(12).sum())(torch.zeros(3, 4))", False),
    ],
)  # fmt: skip
def test_what_changed_afterwards_is_not_told(source, told):
    """A frame is found as it is now; where that may differ, the traceback stands alone."""
    reason = reason_of(failure(source, x=torch.zeros(3, 4).t()))
    assert (reason is not None) == told
    if told:
        assert "size (4, 3), stride (1, 4)" in reason.sentence


def test_in_place_calls_in_a_chain_count_once():
    """The tensor is found turned already; a new one, made in the chain, is turned by its shadow."""
    for start in ("x = torch.zeros(3, 4)\nx", "torch.zeros(3, 4)"):
        reason = reason_of(failure(f"{start}.t_().unsqueeze_(0).view(12)"))
        assert "size (1, 4, 3), stride (4, 1, 4)" in reason.sentence


def test_nothing_is_held_afterwards():
    """Neither the tensors, nor the frames: they go when the exception does."""
    cell = "def f(n):\n    x = torch.zeros(3, 4).t()\n    ref(x)\n    return x.view(n)\nf(12)"
    held = []
    gc.collect()
    gc.disable()
    try:
        error = failure(cell, ref=lambda x: held.append(weakref.ref(x)))
        reason = reason_of(error)
        assert "cannot merge" in reason.sentence
        assert held[0]() is not None
        del error, reason
        assert held[0]() is None
    finally:
        gc.enable()


def test_what_reads_or_writes_more_than_headers_is_not_run_again(tmp_path):
    """Files, random states, arrays that a method changes, tensors that are joined."""
    array = np.arange(12)[::-1].copy()
    state = torch.get_rng_state()
    file = str(tmp_path / "kept")
    sources = [
        "(torch.save(x, file), x)[1].view(5)",
        "(np.save(file, a), a)[1].reshape(5)",
        "(torch.manual_seed(1), x)[1].view(5)",
        "(a.sort(), a)[1].reshape(5)",
        "(a.resize(12, refcheck=False), a)[1].reshape(5)",
        "(a.put(0, 5), a)[1].reshape(5)",
        "np.add(a, 1, a).reshape(5)",
        "np.nan_to_num(a, False, 1).reshape(5)",
        "(kept.pop(), x)[1].view(5)",
        "(next(steps), x)[1].view(5)",
    ]
    kept, steps = [1, 2, 3], iter(range(3))
    for source in sources:
        error = failure(source, x=torch.zeros(12), a=array, file=file, kept=kept, steps=steps)
        before = (array.tolist(), list(kept), torch.get_rng_state())
        for path in tmp_path.iterdir():
            path.unlink()
        reason_of(error)
        assert array.tolist() == before[0]
        assert kept == before[1]
        assert torch.equal(torch.get_rng_state(), before[2])
        assert list(tmp_path.iterdir()) == []
    assert next(steps) == 1
    torch.set_rng_state(state)


def test_after_a_failed_resize_nothing_is_advised_that_reads_the_tensor():
    """Its new size lies over memory that is too short."""
    reason = reason_of(failure("x = torch.from_numpy(np.zeros(3))\nx.resize_(40)"))
    assert (reason.instead, reason.first, reason.diagram) == ("", "", None)
    later = "try:\n    x.resize_(40)\nexcept RuntimeError:\n    pass\nx.view(7)"
    assert reason_of(failure(later, x=torch.from_numpy(np.zeros(3)))) is None


@pytest.mark.parametrize(
    "cell",
    [
        "x = torch.zeros(3, 1)\nx.expand(3, 4).add_(1)",
        "n = torch.arange(3)\nn[:2].add_(0.5)",
        "x = torch.zeros(4, 6).t()\nx.view(-1).add_(1)",
        "x = torch.zeros(4, 6).t()\nx.view(24)[0] = 5",
        "for n in [torch.arange(3)]:\n    n /= 2",
        "for h in [torch.zeros(3).expand(2, 3)]:\n    h += 1",
        "a = np.zeros((2, 3))\na.flags.writeable = False\nfor row in a:\n    row[0] = 1",
    ],
)
def test_no_way_out_writes_to_what_nobody_has(cell):
    """A copy of a temporary tensor, or of a loop's variable, is gone at once."""
    reason = reason_of(failure(cell))
    assert reason.sentence
    assert (reason.instead, reason.first) == ("", "")


def test_a_way_out_copies_no_other_tree():
    """All trees share what has no fields, and `executing` gives it a parent in one of them."""
    copied = []

    class Loud:
        """Says when it is copied."""

        def __deepcopy__(self, memo):
            copied.append(memo)
            return self

    error = failure("x = torch.zeros(3, 2).t()\nx.view(-1)")
    assert reason_of(error).instead == "x.reshape(-1)"
    for shared in ast.walk(ast.parse("x.view(-1)")):
        if not shared._fields:
            shared.parent = Loud()
    assert reason_of(error).instead == "x.reshape(-1)"
    assert copied == []


def test_no_compiler_is_loaded_for_it_and_later_ones_are_whole():
    """Of pointwise operations torch asks its compilers to keep away, which take seconds to load."""
    program = (
        "import sys, torch\n"
        "from stridekit.own_code.failures import reason_of\n"
        "from tests.extras.cells import failure\n"
        "for made in ('(x.relu() + 1)', '(np.random.rand(900, 900) > 0.5)'):\n"
        "    print(reason_of(failure(f'{made}.reshape(7)', x=torch.zeros(3, 2))).sentence)\n"
        "print([name for name in ('torch._dynamo', 'torch._dynamo.config')\n"
        "       if name in sys.modules])\n"
        "torch.empty(3, 2, device='meta').relu() + 1\n"
        "print(torch._dynamo.is_compiling(), torch._dynamo.config.numpy_default_float)\n"
        "print(reason_of(failure('(x + 1).view(5)', x=torch.zeros(3, 2))).sentence)\n"
    )
    first, second, *rest = started(program).stdout.splitlines()
    assert "has size (3, 2)" in first
    assert "has size (900, 900)" in second
    assert rest[0] == "[]"
    assert rest[1] == "False float64"
    assert "has size (3, 2)" in rest[2]


def test_a_way_out_is_a_line_of_its_own():
    """Below the sentence, as code; in a notebook, too."""
    reason = reason_of(failure("x = torch.zeros(3, 4).t()\nx.view(12)"))
    assert "\nInstead: x.reshape(12)\n" in repr(reason)
    assert "<p>Instead: <code>x.reshape(12)</code></p>" in reason._repr_html_()
    reason = reason_of(failure("a = torch.zeros(3).expand(2, 3)\na[:] = 1", a=0))
    assert "\nBefore it: a = a.clone()\n" in repr(reason)


@pytest.mark.parametrize("dtype", ["float32", "uint8", "uint16"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(
    "cell",
    [
        "a / 2", "a.T > b.T", "a + b", "np.sqrt(a)", "a.mean(axis=1)", "a.max(0)", "a @ b.T",
        "np.concatenate([a, b], axis=1)", "np.where(a > 1, b, 0)", "a.astype('float16')",
        "np.linalg.norm(b, axis=1, keepdims=True)", "np.stack([a, a])", "a.reshape(-1, 400)",
    ],
)  # fmt: skip
def test_of_large_arrays_the_header_is_numpys(cell, dtype, order):
    """Size, dtype and order of strides, without computing them."""
    a, b = np.ones((400, 600), dtype, order), np.ones((400, 600), np.float32)
    made = eval(cell, {"np": np, "a": a, "b": b})
    text = reason_of(failure(f"({cell}).reshape(7)", a=a, b=b)).diagram.text().splitlines()[0]
    steps = ", ".join(f"{step:_}" if step > 9999 else str(step) for step in made.strides)
    steps = f"({steps},)" if made.ndim == 1 else f"({steps})"
    assert f"byte_strides {steps}" in text
    assert f"· {made.dtype}" in text
