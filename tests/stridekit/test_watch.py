"""What a watch sees, against copies counted by hand, and against memory for random programs."""

import json
import re
import threading
import warnings

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

import stridekit as sk


def copied(seen):
    """Each copy: call, operation, bytes, whether on the way back, how often."""
    return sorted(
        (row.call, row.operation, row.bytes, row.backward, row.times) for row in seen.copies
    )


class Attention(nn.Module):
    """Four heads of four numbers."""

    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(16, 48)
        self.out = nn.Linear(16, 16)

    def forward(self, x):
        """Reads the heads apart, and puts them together again."""
        b, t, c = x.shape
        q, k, v = (part.view(b, t, 4, 4).transpose(1, 2) for part in self.qkv(x).chunk(3, dim=-1))
        weights = (q @ k.transpose(-2, -1)).softmax(-1)
        y = (weights @ v).transpose(1, 2)
        return self.out(y.reshape(b, t, c))


def test_an_attention_block_counted_by_hand():
    """x is (2, 6, 16): 192 numbers of 4 bytes. Three heads' views cross a seam before bmm."""
    x = torch.randn(2, 6, 16)
    one = 2 * 6 * 16 * 4
    with sk.watch() as seen:
        Attention()(x)
    # q, k and v are each 3 x 16 apart, so matmul cannot merge batch and head; then the heads are
    # put side by side.
    assert copied(seen) == [
        ("Tensor.matmul", "reshape", one, False, 1),
        ("Tensor.matmul", "reshape", one, False, 1),
        ("Tensor.matmul", "reshape", one, False, 1),
        ("Tensor.reshape", "reshape", one, False, 1),
    ]
    assert seen.bytes_copied == 4 * one
    (row,) = [row for row in seen.copies if row.call == "Tensor.reshape"]
    assert row.place.code == "return self.out(y.reshape(b, t, c))"
    assert row.place.function == "Attention.forward"
    assert row.why == (
        "reshape crosses the seam between dims 2 and 3: stride[2] is 24, and to merge they need "
        "4 × 1 = 4"
    )


def test_the_way_back_is_told_at_the_lines_of_the_way_forward():
    """The gradients of q, k and v are put together: one cat of 3 x 768 bytes."""
    model, x = Attention(), torch.randn(2, 6, 16)
    with sk.watch() as seen:
        model(x).sum().backward()
    back = {(row.operation, row.bytes): row for row in seen.copies if row.backward}
    cat = back["cat", 3 * 768]
    assert "self.qkv(x).chunk" in cat.place.code or "part.view" in cat.place.code
    assert cat.call == "SplitBackward0"
    forward = {row.place.line for row in seen.rows if not row.backward}
    assert {row.place.line for row in back.values()} <= forward


def test_a_cnn_in_channels_last_counted_by_hand():
    """One input to channels_last, one shuffle that loses it, one flatten."""
    conv = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
    conv = conv.to(memory_format=torch.channels_last)
    head = nn.Linear(8 * 4 * 4, 2)
    images = torch.randn(5, 3, 8, 8)
    with sk.watch() as seen:
        x = images.to(memory_format=torch.channels_last)
        x = conv(x)
        n, c, h, w = x.shape
        x = x.view(n, 2, c // 2, h, w).transpose(1, 2).reshape(n, c, h, w)
        head(x.flatten(1))
    assert copied(seen) == [
        ("Tensor.reshape", "reshape", 5 * 8 * 4 * 4 * 4, False, 1),
        ("Tensor.to", "_to_copy", 5 * 3 * 8 * 8 * 4, False, 1),
    ]
    (lost,) = seen.lost_channels_last
    assert lost.call == "Tensor.reshape"
    assert lost.result.stride == (128, 16, 4, 1)
    assert "channels_last was lost" in str(seen)


def test_a_data_pipeline_counted_by_hand():
    """From NumPy images to a batch: what shares, what copies."""
    image = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    with sk.watch() as seen:
        parts = [torch.from_numpy(image).permute(2, 0, 1) for _ in range(2)]  # shares
        batch = torch.stack(parts)  # 2 x 72 bytes
        numbers = batch.float()  # 4 bytes each
        numbers[0] = numbers[1]  # half of it
        numbers.numpy()  # shares
        numbers.flip(-1)  # all
        torch.tensor(image)  # 72 bytes
        numbers[torch.tensor([1])]  # half
    assert [(row.operation, row.bytes) for row in seen.copies] == [
        ("_to_copy", 576),
        ("flip", 576),
        ("copy_", 288),
        ("index", 288),
        ("stack", 144),
        ("_to_copy", 72),
    ]


def test_what_is_computed_is_no_copy():
    """Products, sums, activations: new memory, and nothing copied."""
    with sk.watch() as seen:
        ((torch.randn(3, 4) @ torch.randn(4, 5)).relu() + 1).sum().exp_()
    assert seen.bytes_copied == 0
    assert "copies of 0 bytes" in str(seen)
    assert {row.kind for row in seen} == {"new", "write"}


@pytest.mark.parametrize(
    ("program", "call", "operation", "why"),
    [
        (lambda x: x.t().contiguous(), "Tensor.contiguous", "clone", "dim 1 has stride 4, and 1"),
        (lambda x: x.clone(), "Tensor.clone", "clone", "clone always copies"),
        (lambda x: x.to(torch.float64), "Tensor.to", "_to_copy", "float32 becomes float64"),
        (lambda x: torch.cat([x, x]), "torch.cat", "cat", "its parts lie apart"),
        (lambda x: x.repeat(2, 1), "Tensor.repeat", "repeat", "expand repeats with stride 0"),
        (lambda x: x.flip(0), "Tensor.flip", "flip", "negative stride"),
        (lambda x: x[:, [0, 2]], "Tensor.__getitem__", "index", "index list or a mask"),
        (lambda x: x.t().flatten(), "Tensor.flatten", "reshape", "seam between dims 0 and 1"),
        (
            lambda x: nn.functional.embedding(torch.tensor([0, 2]), x),
            "F.embedding",
            "embedding",
            "indices picks rows",
        ),
        (lambda x: nn.functional.pad(x, (1, 1)), "F.pad", "constant_pad_nd", "larger run"),
    ],
)
def test_why(program, call, operation, why):
    """Each copy has its reason."""
    x = torch.zeros(3, 4)
    with sk.watch() as seen:
        y = program(x)
    row = next(row for row in seen.copies if row.operation == operation)
    assert row.call == call
    assert why in row.why
    assert row.bytes == y.nbytes
    assert row.diagram().alt


def step_index(x):
    return x[torch.arange(x.shape[0]).flip(0)]


OPERATIONS = {
    "t": lambda x: x.transpose(0, -1),
    "slice": lambda x: x[..., ::2],
    "contiguous": lambda x: x.contiguous(),
    "reshape": lambda x: x.reshape(-1),
    "rows": lambda x: x.reshape(x.shape[0], -1),
    "clone": lambda x: x.clone(),
    "add": lambda x: x + 1,
    "unsqueeze": lambda x: x.unsqueeze(1),
    "expand": lambda x: x.unsqueeze(0).expand(2, *x.shape),
    "flip": lambda x: x.flip(0),
    "double": lambda x: x.to(torch.float64),
    "index": step_index,
    "cat": lambda x: torch.cat([x, x]),
    "select": lambda x: x.select(0, 0) if x.dim() > 1 else x,
}


@given(
    names=st.lists(st.sampled_from(sorted(OPERATIONS)), min_size=1, max_size=7),
    size=st.lists(st.integers(1, 4), min_size=1, max_size=3),
    mode=st.sampled_from(["grad", "no_grad", "inference"]),
)
def test_random_programs_against_memory(names, size, mode):
    """A copy has an address of its own, and as many bytes as its elements take; a view has not."""
    x = torch.zeros(size, requires_grad=mode == "grad")
    guard = {"grad": torch.enable_grad, "no_grad": torch.no_grad, "inference": torch.inference_mode}
    alive = [x]
    with guard[mode]():
        for name in names:
            x = alive[-1]
            if x.dim() > 5 or x.numel() > 4096:
                break
            with sk.watch() as seen:
                y = OPERATIONS[name](x)
            alive.append(y)
            last = [row for row in seen.rows if row.result and row.result.size == tuple(y.shape)]
            shares = y.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
            if shares:
                assert seen.bytes_copied == 0
                assert all(row.kind == "view" for row in last)
                continue
            made = [row for row in last if row.kind in ("copy", "new")]
            assert made, name
            if name == "add":
                assert seen.bytes_copied == 0
            else:
                extra = x.shape[0] * 8 if name == "index" else 0
                assert seen.bytes_copied == y.numel() * y.element_size() + extra
            result = made[-1].result
            assert (result.size, result.stride) == (tuple(y.shape), y.stride())
            assert result.storage_offset == y.storage_offset()


@pytest.mark.parametrize("guard", [torch.no_grad, torch.inference_mode, torch.enable_grad])
def test_reshape_is_told_in_every_mode(guard):
    """In inference_mode torch hands on `reshape` itself; elsewhere its parts."""
    x = torch.zeros(3, 4)
    with guard(), sk.watch() as seen:
        x.t().reshape(12)
    assert copied(seen) == [("Tensor.reshape", "reshape", 48, False, 1)]


def test_autocast_shows_its_conversions():
    """float32 becomes bfloat16 on the way into a product."""
    x, w = torch.zeros(3, 4), torch.zeros(4, 5)
    with torch.autocast("cpu", dtype=torch.bfloat16), sk.watch() as seen:
        y = x @ w
    assert y.dtype == torch.bfloat16
    assert sorted(row.bytes for row in seen.copies) == [24, 40]
    assert all("float32 becomes bfloat16" in row.why for row in seen.copies)


def test_compiled_functions_are_told_to_have_run_uncompiled():
    """A sentence says so, and the copies of the code are there."""
    double = torch.compile(lambda x: x.t().reshape(-1) * 2, backend="eager")
    x = torch.zeros(3, 4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with sk.watch() as seen:
            double(x)
    assert seen.bytes_copied == 48
    (note,) = seen.notes
    assert "ran uncompiled" in note
    assert "test_watch.py, line" in note
    with sk.watch() as plain:
        x.t().reshape(-1)
    assert plain.notes == []


def test_results_are_those_of_the_same_code_unwatched():
    """Values, gradients and random numbers."""
    x = torch.randn(2, 6, 16)
    outcomes = []
    for watched in (False, True):
        torch.manual_seed(3)
        model = Attention()
        if watched:
            with sk.watch():
                loss = model(x).mul(torch.rand(())).sum()
                loss.backward()
        else:
            loss = model(x).mul(torch.rand(())).sum()
            loss.backward()
        outcomes.append([loss.detach(), *(p.grad for p in model.parameters())])
    for one, other in zip(*outcomes, strict=True):
        assert torch.equal(one, other)


def test_nested_and_used_again():
    """The inner block sees its part, the outer all; each time there is a new answer."""
    x, again = torch.zeros(3, 4), sk.watch()
    with again as outer:
        x.t().contiguous()
        with again as inner:
            x.clone()
        x.t().contiguous()
    assert [row.operation for row in inner.copies] == ["clone"]
    assert outer.bytes_copied == 3 * 48
    assert inner.bytes_copied == 48
    with again as third:
        pass
    assert len(third) == 0
    x.clone()
    assert outer.bytes_copied == 3 * 48


def test_an_exception_passes_through_and_what_was_seen_stays():
    """And nothing goes on listening."""
    x = torch.zeros(3, 4)
    watch = sk.watch()
    seen = watch.__enter__()
    x.clone()
    with pytest.raises(RuntimeError, match="view size") as raised:
        x.t().view(12)
    assert watch.__exit__(raised.type, raised.value, raised.tb) is None
    assert seen.bytes_copied == 48
    x.clone()
    assert seen.bytes_copied == 48


def test_each_thread_has_its_own():
    """One watch may be open in several; another thread's work is not seen."""
    watch, results = sk.watch(), {}

    def work(n):
        with watch as seen:
            for _ in range(n):
                torch.zeros(4).clone()
        results[n] = seen.bytes_copied

    threads = [threading.Thread(target=work, args=(n,)) for n in (1, 2, 3)]
    with watch as mine:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == {1: 16, 2: 32, 3: 48}
    assert mine.bytes_copied == 0


def test_a_loop_is_one_row():
    """With the number of times, and all its bytes."""
    with sk.watch() as seen:
        for _ in range(5):
            torch.zeros(2, 3).t().contiguous()
    (row,) = seen.copies
    assert (row.times, row.bytes) == (5, 5 * 24)
    assert "×5" in str(seen)


def test_a_small_view_that_keeps_a_large_storage_alive():
    """Found while it lives, gone when it is copied; a tensor that is held is no leak."""
    with sk.watch() as seen:
        big = torch.zeros(10_000)
        small = big[:10]
    assert seen.kept_alive == []
    del big
    (kept,) = seen.kept_alive
    assert (kept.nbytes, kept.shown, kept.idle, kept.alone) == (40_000, 40, 39_960, True)
    assert kept.places[0].code == "small = big[:10]"
    assert "1 tensor shows 40 bytes of 39.1 KiB" in str(seen)
    assert kept.diagram().alt
    small = small.clone()
    assert seen.kept_alive == []
    assert small.numel() == 10


def test_views_of_views_and_several_views():
    """What all of them show together counts; so does autograd, which holds on its own."""
    with sk.watch() as seen:
        parts = list(torch.zeros(100, 100).unbind(0))[:3]
        row = parts.pop()[10:20]
    (kept,) = seen.kept_alive
    assert kept.nbytes == 40_000
    assert kept.shown == 2 * 400 + 40
    assert len(row) == 10
    with sk.watch() as seen:
        weight = torch.zeros(1000, requires_grad=True)
        doubled = weight * 2
        loss = (doubled**2).sum()
        few = doubled[:2]
        del doubled
    (kept,) = seen.kept_alive
    assert not kept.alone
    assert "autograd" in str(seen)
    assert loss.requires_grad
    assert len(few) == 2


def test_nothing_is_kept_alive_by_watching():
    """Headers are kept, and no tensors."""
    with sk.watch() as seen:
        x = torch.zeros(1000)
        y = x[:5].clone()
    from torch.multiprocessing.reductions import StorageWeakRef

    ref = StorageWeakRef(x.untyped_storage())
    del x
    assert ref.expired()
    assert len(seen.rows) == 3
    assert y.numel() == 5


def test_what_cannot_be_seen_is_counted():
    """Sparse tensors have no strides."""
    with sk.watch() as seen:
        x = torch.eye(3).to_sparse()
        x.coalesce()
    assert seen.unseen > 0
    assert "sparse" in seen.notes[0]


def test_data_and_html():
    """Plain data for json; a table with headings, text that is escaped, pictures that open."""
    x = torch.zeros(3, 4)
    with sk.watch() as seen:
        x.t().reshape(12 if "<b>" else 0)
    (row,) = [d for d in json.loads(json.dumps(seen.to_dicts())) if d["kind"] == "copy"]
    assert row["bytes"] == 48
    assert row["sources"][0]["stride"] == [1, 4]
    assert row["code"].startswith("x.t().reshape")
    page = seen._repr_html_()
    assert '<th scope="col"' in page
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert page.count("<details><summary>Picture") == 1
    assert re.search('alt="[^"]*Tensor', page)


def test_the_largest_come_first_and_the_rest_is_counted():
    """Thirty rows: 25 are shown."""
    with sk.watch() as seen:
        for n in range(1, 31):
            torch.zeros(n).clone()
    sizes = [row.bytes for row in seen.copies]
    assert sizes == sorted(sizes, reverse=True)
    assert "and 5 rows more, of 60 bytes in all: see seen.rows" in str(seen)


class Hostile(torch.Tensor):
    """A subclass that answers every question with an error."""

    def size(self, *_):
        """No answer."""
        raise SystemError

    stride = storage_offset = element_size = untyped_storage = __repr__ = size
    shape = property(size)


class Wrapper(torch.Tensor):
    """A subclass that is made of another tensor, as quantised and distributed ones are."""

    @staticmethod
    def __new__(cls, inner):
        """Its header, and no memory."""
        return torch.Tensor._make_wrapper_subclass(
            cls, inner.shape, strides=inner.stride(), dtype=inner.dtype
        )

    def __init__(self, inner):
        self.inner = inner

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        plain = [x.inner if isinstance(x, cls) else x for x in args]
        return cls(func(*plain, **(kwargs or {})))


def run_fake():
    from torch._subclasses.fake_tensor import FakeTensorMode

    return FakeTensorMode().from_tensor(torch.zeros(3, 4)).t().contiguous()


HARD = {
    "hostile": (lambda: torch.zeros(3, 4).as_subclass(Hostile).t().contiguous(), 48),
    "wrapper": (lambda: Wrapper(torch.zeros(3, 4).t()).contiguous(), 48),
    "jagged": (
        lambda: torch.nested.nested_tensor([torch.zeros(2)] * 2, layout=torch.jagged) * 2,
        None,
    ),
    "fake": (run_fake, 48),
    "cond": (
        lambda: torch.cond(torch.tensor(True), lambda x: x + 1, lambda x: x, (torch.zeros(3),)),
        0,
    ),
    "vmap": (lambda: torch.vmap(lambda x: x.t().reshape(-1))(torch.zeros(2, 3, 4)), 96),
    "grad": (
        lambda: torch.func.grad(lambda x: (x.t().reshape(-1) ** 2).sum())(torch.zeros(3, 4)),
        48,
    ),
    "put": (lambda: torch.zeros(4).put_(torch.tensor([1, 2]), torch.ones(2)), 8),
    "out": (lambda: torch.cat([torch.ones(3)] * 2, out=torch.empty(6)), 24),
    "meta": (lambda: torch.empty(3, 4, device="meta").t().contiguous(), 48),
}


@pytest.mark.parametrize("name", HARD)
def test_whatever_comes_runs_as_it_does_unwatched(name):
    """Subclasses that refuse or are made of others, symbols for sizes, functions of functions."""
    program, nbytes = HARD[name]
    with sk.watch() as seen:
        program()
    assert nbytes in (None, seen.bytes_copied)
    assert str(seen)
    assert all(row.diagram().alt for row in seen.copies)
    assert ("out of sight" in "".join(seen.notes)) == (name == "cond")
