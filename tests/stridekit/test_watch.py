"""What a watch tells, against copies counted by hand, and against memory for random programs."""

import _thread
import copy
import cProfile
import gc
import json
import linecache
import os
import pickle
import re
import runpy
import signal
import subprocess
import sys
import threading
import time
import weakref
from functools import partial
from itertools import chain, starmap
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint

import stridekit as sk
from stridekit.errors import WatchError
from stridekit.own_code import copies, recording, torch_profiler
from stridekit.own_code.moves import Moves
from tests import warm

NEVER = 1 << 40


@pytest.fixture
def _in_one_slice(monkeypatch):
    """However slow a machine is: who is cut in the middle of a function tells fewer lines."""
    monkeypatch.setattr(recording, "SLICE", 60.0)


@pytest.fixture(scope="module", autouse=True)
def _on_a_fast_machine():
    """On a slow or busy one it is cut often, which costs nothing, and muted, which costs copies.

    It rests, too, where one has read for long. Who tries that says how late is late.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recording, "SLICE", 0.03)
        for limit in ("_LATE", "_KEPT_OUT_MOST", "_READING"):
            patch.setattr(recording, limit, NEVER)
        yield


class Clock:
    """Stands still, however fast or busy a machine is, until a test has it move on."""

    def __init__(self):
        self._now = 0.0

    def perf_counter(self):
        """The time, of whatever kind: all of it is the main thread's work."""
        return self._now

    thread_time = process_time = perf_counter

    def moves_on(self, seconds):
        """By so much; then a recording comes into the main thread if it wants to."""
        self._now += seconds
        recording._visitors[0].__lt__(recording._visitors[1])


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
        ("matmul", "reshape", one, False, 1),
        ("matmul", "reshape", one, False, 1),
        ("matmul", "reshape", one, False, 1),
        ("reshape", "reshape", one, False, 1),
    ]
    assert seen.bytes_copied == 4 * one
    (row,) = [row for row in seen.copies if row.call == "reshape"]
    assert row.place.code == "return self.out(y.reshape(b, t, c))"
    assert row.place.function == "forward"
    assert row.module == "Attention"
    assert row.why == (
        "dims 2 and 3 cannot merge, because stride[2] is 24 and merging needs "
        "size[3] × stride[3] = 4 × 1 = 4"
    )
    assert 0 < row.seconds <= seen.seconds_copying < seen.watched


def test_the_way_back_is_told_at_the_lines_of_the_way_forward():
    """The gradients of q, k and v are put together: one cat of 3 x 768 bytes."""
    model, x = Attention(), torch.randn(2, 6, 16)
    with sk.watch() as seen:
        model(x).sum().backward()
    back = {(row.operation, row.bytes): row for row in seen.copies if row.backward}
    cat = back["cat", 3 * 768]
    assert "self.qkv(x).chunk" in cat.place.code
    assert cat.call == "SplitBackward0"
    assert cat.module == "Attention"
    assert back["clone", 2 * 768].module == "out"
    assert {row.place.file for row in back.values()} == {__file__}
    assert cat.library == cat.place
    assert back["clone", 2 * 768].library.file.endswith("linear.py")


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
        ("reshape", "reshape", 5 * 8 * 4 * 4 * 4, False, 1),
        ("to", "to", 5 * 3 * 8 * 8 * 4, False, 1),
    ]
    (lost,) = seen.lost_channels_last
    assert lost.result.stride == (128, 16, 4, 1)
    assert "channels_last was lost" in str(seen)


def test_what_is_joined_with_plain_channels_loses_channels_last():
    """`cat` keeps the format only where all have it; the next layer makes it again."""
    layer = nn.Conv2d(3, 4, 1).to(memory_format=torch.channels_last)
    x = torch.randn(2, 2, 5, 6).to(memory_format=torch.channels_last)
    with sk.watch() as seen, torch.no_grad():
        layer(torch.cat([torch.zeros(1).expand(2, 1, 5, 6), x], dim=1))
        layer(torch.cat([x[:, :1], x], dim=1))
    assert [(row.call, row.times) for row in seen.lost_channels_last] == [("cat", 1)]


def test_a_gradient_that_is_kept_as_its_weight_is_loses_nothing():
    """The weight is plain, and so its gradient is to be."""
    layer, x = nn.Conv2d(3, 4, 3), torch.randn(2, 3, 8, 8).to(memory_format=torch.channels_last)
    with sk.watch() as seen:
        layer(x).sum().backward()
    assert layer.weight.grad.is_contiguous()
    assert any("channels_last was asked for by conv2d" in row.why for row in seen.copies)
    assert seen.lost_channels_last == []


def test_nobody_loses_channels_last_who_never_used_it():
    """Images of NumPy have its strides, and no convolution works in it."""
    with sk.watch() as seen:
        images = torch.randn(2, 8, 8, 3).permute(0, 3, 1, 2).contiguous()
        nn.Conv2d(3, 4, 3)(images)
    assert seen.bytes_copied == images.nbytes
    assert seen.lost_channels_last == []


def test_what_a_call_makes_in_channels_last_by_itself_is_not_lost():
    """A plain convolution turns its result round; who adds to rows of an image does lose it."""
    layer, plain = nn.Conv2d(8, 8, 1).to(memory_format=LAST), nn.ConvTranspose2d(8, 4, 2, 2)
    x = torch.randn(2, 8, 6, 6)
    with sk.watch() as seen, torch.no_grad():
        plain(x)
        y = layer(x.to(memory_format=LAST))
        plain(torch.zeros_like(y).index_add(0, torch.tensor([0]), y[:1]))
    assert any(row.call == "conv_transpose2d" for row in seen.copies)
    assert [row.call for row in seen.lost_channels_last] == ["index_add"]


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
    told = sorted((row.operation, row.bytes) for row in seen.copies)
    assert told == [
        ("copy_", 288),
        ("flip", 576),
        ("index", 288),
        ("stack", 144),
        ("to", 72),
        ("to", 576),
    ]


def test_what_is_computed_is_no_copy():
    """Products, sums, activations, a bias in each row, one number written everywhere."""
    with sk.watch() as seen:
        ((torch.randn(3, 4) @ torch.randn(4, 5)).relu() + 1).sum().exp_()
        nn.functional.linear(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5))[0] = 2.0
        nn.functional.linear(torch.randn(1, 4), torch.randn(5, 4), torch.randn(5))
        torch.addmm(torch.randn(3, 5), torch.randn(3, 4), torch.randn(4, 5))
        x = torch.randn(4, requires_grad=True)
        x[torch.tensor([0, 0])].sum().backward()
    assert [row.call for row in seen.copies] == ["index"]


def conv(x, **how):
    return nn.Conv2d(3, 4, 3).to(**how)(x)


def slices(w):
    y = w * 1
    y[:, 0] = 2.0
    y.sum().backward()


def steps_back(w):
    sum(w[:, t].sum() for t in range(3)).backward()


def unbound_back(w):
    sum(part.sum() for part in w.unbind(1)).backward()


LAST = torch.channels_last
# What copies; its call and operation; a part of the reason; what is told to do instead, in part;
# and, where there is one, what comes of doing it, and on how many bytes less.
CAUSES = {
    "contiguous": (
        lambda x, w: x.t().contiguous(),
        "contiguous",
        "dim 1 has stride 4, and 1 is",
        "",
    ),
    "clone": (lambda x, w: x.clone(), "clone", "clone was asked to copy", ""),
    "clone of a part": (lambda x, w: x[:, :3].clone(), "clone", "clone was asked to copy", ""),
    "clone, expanded": (lambda x, w: x.expand(2, 3, 4).clone(), "clone", "was asked to copy", ""),
    "clone in another order": (
        lambda x, w: x.t().clone(memory_format=torch.contiguous_format),
        "clone",
        "a contiguous tensor was asked for",
        "",
    ),
    "to, copied": (lambda x, w: x.to(torch.float32, copy=True), "to", "to was asked to copy", ""),
    "dtype": (lambda x, w: x.double(), "to", "float32 becomes float64", "dtype=torch.float64"),
    "bool": (lambda x, w: (x > 0).float(), "to", "bool becomes float32", ""),
    "counted": (lambda x, w: x.argmax(1).float(), "to", "int64 becomes float32", ""),
    "an image": (lambda x, w: x.byte().half(), "to", "uint8 becomes float16", ""),
    "an integer": (lambda x, w: x.int().long(), "to", "int32 becomes int64", "dtype=torch.int64"),
    "type_as": (lambda x, w: x.type_as(x.double()), "type_as", "float32 becomes float64", "dtype"),
    "promoted": (lambda x, w: x + x.long(), "add: to", "add works in float32 here", ""),
    "counted inside": (
        lambda x, w: nn.functional.embedding_bag(torch.arange(6) % 3, x, torch.arange(6)),
        "embedding_bag: to",
        "int64 becomes float32, inside of embedding_bag",
        "",
    ),
    "promoted inside": (lambda x, w: torch.kron(x, x.long()), "kron: to", "int64 becomes", ""),
    "8 bits": (lambda x, w: x.to(torch.float8_e5m2), "to", "float32 becomes float8_e5m2", ""),
    "a mask": (
        lambda x, w: x.masked_select(x > 3),
        "masked_select: to",
        "bool becomes int64, inside of masked_select",
        "",
    ),
    "cat": (lambda x, w: torch.cat([x, x]), "cat", "one run is to hold all its parts", ""),
    "stack": (
        lambda x, w: torch.stack([x, x], -1),
        "stack",
        "one run is to hold all its parts",
        "",
    ),
    "block_diag": (
        lambda x, w: torch.block_diag(x, x),
        "block_diag",
        "one run is to hold all its parts",
        "",
    ),
    "repeat, apart": (lambda x, w: x.repeat(2, 1), "repeat", "every repetition", ""),
    "repeat": (lambda x, w: x[:, :1].repeat(2, 1, 5), "repeat", "every", "expand(2, 3, 5) shows"),
    "repeat_interleave": (lambda x, w: x.repeat_interleave(2, 0), "repeat_interleave", "every", ""),
    "flip": (lambda x, w: x.flip(0), "flip", "negative stride", ""),
    "roll": (lambda x, w: x.roll(1, 0), "roll", "no stride goes round", ""),
    "rot90": (lambda x, w: torch.rot90(x), "rot90", "to turn needs a negative stride", ""),
    "list": (lambda x, w: x[:, [0, 2]], "index", "no stride describes", "x[::2] is a view"),
    "mask": (lambda x, w: x[x > 9], "index", None, ""),
    "index_select": (
        lambda x, w: x.index_select(0, torch.tensor([0])),
        "index_select",
        "no",
        "view",
    ),
    "gather": (lambda x, w: x.gather(0, torch.zeros(1, 4).long()), "gather", "no stride", ""),
    "take": (lambda x, w: x.take(torch.tensor([0, 2])), "take", "no stride describes", "view"),
    "embedding": (
        lambda x, w: nn.functional.embedding(torch.tensor([[0, 2]]), x),
        "embedding",
        "no stride",
        "",
    ),
    "index_put": (
        lambda x, w: x.index_put((torch.tensor([0]),), x[:1]),
        "index_put",
        "stay as it is",
        "index_put_ writes into it",
    ),
    "assigned by a list": (
        lambda x, w: x.clone().__setitem__(torch.tensor([0]), x[1:2]),
        "index_put_",
        "to the places that the index picks",
        "",
    ),
    "assigned": (lambda x, w: x.clone()[0].copy_(x[1]), "copy_", "was there already", ""),
    "scatter": (
        lambda x, w: x.scatter(0, torch.zeros(1, 4).long(), x),
        "scatter",
        "stay as it is",
        "scatter_ writes into it",
    ),
    "pad": (lambda x, w: nn.functional.pad(x, (1, 1)), "pad", "room around it", ""),
    "pad by nothing": (
        lambda x, w: nn.functional.pad(x, (0, 0)),
        "pad",
        "it gets no larger",
        "a slice such as x[..., 1:-1] is a view",
    ),
    "pad, cut": (
        lambda x, w: nn.functional.pad(x, (-1, -1)),
        "pad",
        "it gets no larger",
        "a slice such as x[..., 1:-1] is a view",
    ),
    "pad, on the way back": (
        lambda x, w: nn.functional.pad(w, (1, 1)).sum().backward(),
        "ConstantPadNdBackward0: constant_pad_nd (backward)",
        "it gets no larger",
        "",
    ),
    "column after column": (
        lambda x, w: torch.linalg.qr(x),
        "linalg_qr: copy_",
        "other strides were asked for by linalg_qr: (4, 1) becomes (1, 3)",
        "",
    ),
    "a part that is read": (lambda x, w: torch.complex(x, x).t().abs(), "abs: copy_", "", ""),
    "the only row": (
        lambda x, w: nn.utils.rnn.pad_sequence([x[:1], x[1:2]]),
        "pad_sequence: copy_",
        "",
        "",
    ),
    "a product of what is expanded": (
        lambda x, w: x[:, :1].expand(3, 4) @ x.t(),
        "matmul: clone",
        "a contiguous tensor was asked for by matmul, and dim 1 has stride 0",
        "",
    ),
    "a product in place": (
        lambda x, w: torch.zeros(3, 3).addmm_(x[:, ::2], torch.ones(2, 3)),
        "addmm_: clone",
        "a contiguous tensor was asked for by addmm_",
        "",
    ),
    "the third largest": (lambda x, w: x[:, ::2].kthvalue(1), "kthvalue: clone", "", ""),
    "a diagonal": (lambda x, w: torch.diag(x), "diag: clone", "", ""),
    "a dtype, on the way back": (
        lambda x, w: w.double().sum().backward(),
        "ToCopyBackward0: to (backward)",
        "float64 becomes float32, inside of ToCopyBackward0",
        "",
    ),
    "sorted": (lambda x, w: x[:, ::2].sort(0), "sort: copy_", "", ""),
    "put into a larger one": (
        lambda x, w: nn.utils.rnn.pad_sequence([x.t(), x[:2, :3]]),
        "pad_sequence: copy_",
        "was there already",
        "",
    ),
    "pad, mirrored": (
        lambda x, w: nn.functional.pad(x[None], (1, 1), "reflect"),
        "pad",
        "room around it",
        "",
    ),
    "tril": (lambda x, w: x.tril(), "tril", "hold zeros", "tril_ writes into it"),
    "unfold, side by side": (
        lambda x, w: nn.functional.unfold(x[None, None, :2], 2, stride=2),
        "im2col",
        "all windows are written out",
        "Tensor.unfold shows",
    ),
    "unfold": (
        lambda x, w: nn.functional.unfold(x[None, None], 2),
        "im2col",
        "overlap",
        "Tensor.unfold shows",
    ),
    "unfold, dilated": (
        lambda x, w: nn.functional.unfold(x[None, None], 2, dilation=2),
        "im2col",
        "all windows are written out",
        "undilated windows as a view",
    ),
    "pixel_shuffle": (
        lambda x, w: nn.functional.pixel_shuffle(x.view(1, 4, 1, 3), 2),
        "pixel_shuffle",
        "order",
        "",
    ),
    "reshape": (lambda x, w: x.t().reshape(12), "reshape", "dims 0 and 1 cannot merge", ""),
    "flatten": (lambda x, w: x.t().flatten(), "flatten", "dims 0 and 1 cannot merge", ""),
    "reshape of an expanded": (
        lambda x, w: x[:, None].expand(3, 2, 4).reshape(6, 4),
        "reshape",
        "stride[0] is 4 and merging needs size[1] × stride[1] = 2 × 0 = 0",
        "",
    ),
    "channels_last": (
        lambda x, w: x.view(1, 3, 2, 2).to(memory_format=LAST),
        "to",
        "channels_last was asked for, and the stride is (12, 4, 2, 1)",
        "",
    ),
    "channels_last where dims are 1": (
        lambda x, w: x.view(3, 4, 1, 1).to(memory_format=LAST),
        "to",
        "other strides were asked for: (4, 1, 1, 1) becomes (4, 1, 4, 4)",
        "",
    ),
    "a convolution's weight": (
        lambda x, w: conv(torch.randn(1, 8, 8, 3).permute(0, 3, 1, 2)),
        "conv2d: contiguous",
        "channels_last was asked for by conv2d",
        "model.to(memory_format=torch.channels_last)",
    ),
    "a convolution's input": (
        lambda x, w: conv(torch.randn(1, 3, 8, 8), memory_format=LAST),
        "conv2d: contiguous",
        "channels_last was asked for by conv2d",
        "x.to(memory_format=torch.channels_last)",
    ),
    "an image alone": (
        lambda x, w: conv(torch.randn(3, 8, 8), memory_format=LAST),
        "conv2d: contiguous",
        "channels_last was asked for by conv2d",
        "",
    ),
    "a convolution of a transposed": (
        lambda x, w: conv(torch.randn(1, 3, 8, 8).transpose(2, 3)),
        "conv2d: contiguous",
        "a contiguous tensor was asked for by conv2d, and dim 3 has stride 8",
        "",
    ),
    "einsum": (
        lambda x, w: torch.einsum("abc,cbd->ad", torch.randn(2, 3, 4), torch.randn(4, 3, 2)),
        "einsum: reshape",
        "cannot merge, because stride[",
        "",
    ),
    "filled by a mask": (
        lambda x, w: x.masked_fill(x > 5, 0.0),
        "masked_fill",
        "it is copied before it is written to",
        "masked_fill_ writes into it",
    ),
    "filled by a larger mask": (
        lambda x, w: x.masked_fill(x.expand(2, 3, 4) > 5, 0.0),
        "masked_fill",
        "it is copied before it is written to",
        "",
    ),
    "without its fractions": (lambda x, w: x.long(), "to", "float32 becomes int64", ""),
    "whether they are 0": (lambda x, w: x.bool(), "to", "float32 becomes bool", ""),
    "in place": (
        lambda x, w: nn.functional.silu(w * 1, inplace=True),
        "silu_: clone",
        "silu_ overwrites what its way back needs",
        "Without in place, silu makes no such copy.",
    ),
    "a part written in place": (
        lambda x, w: slices(w),
        "CopySlices: copy_ (backward)",
        "the whole gradient is copied",
        "torch.cat or torch.stack",
    ),
    "every second part": (
        lambda x, w: w[::2].sum().backward(),
        "SliceBackward0: slice_backward (backward)",
        "the gradient of a view is as large as what was viewed",
        "Where parts side by side are taken of one tensor, split gives all",
    ),
    "parts, one by one": (
        lambda x, w: steps_back(w),
        "SelectBackward0: select_backward (backward)",
        "the gradient of a view is as large as what was viewed",
        "unbind gives all",
    ),
    "a gradient in other strides": (
        lambda x, w: (w.t() * torch.ones(4, 3)).sum().backward(),
        "AccumulateGrad: clone (backward)",
        None,
        "",
    ),
}


@pytest.mark.parametrize("name", CAUSES)
def test_why(name):
    """What copies in real code: its call, its reason, what to do; a line, bytes, and a picture."""
    program, call, why, instead = CAUSES[name]
    x, w = torch.arange(12.0).view(3, 4), torch.rand(3, 4, requires_grad=True)
    with sk.watch() as seen:
        program(x, w)
    rows = [row for row in seen.copies if call == _called(row)]
    if why is None:
        # A mask that picks nothing copies nothing; a gradient that may be taken as it is, too.
        assert all(row.bytes for row in rows)
        return
    (row,) = [row for row in rows if why in row.why]
    assert bool(why) == bool(row.why)
    assert instead in row.instead
    assert bool(instead) == bool(row.instead)
    assert row.place.file == __file__
    # What went in and what came out have a storage each; what cannot be viewed stands on one.
    stand = 1 if row.operation in ("reshape", "flatten", "reshape_as") else 1 + len(row.sources)
    letters = [*"ABCD"[:stand]] if stand > 1 else [""]
    assert re.findall("^storage ?([A-Z]?) ", row.diagram().text(), re.M) == letters
    assert row.bytes == row.times * row.result.nbytes or row.operation in (
        "pad",
        "index_put_",
        "block_diag",
        "scatter",
        "index_put",
        "select_backward",
        "copy_",
    )


def _called(row):
    name = row.call if row.call == row.operation else f"{row.call}: {row.operation}"
    return f"{name} (backward)" if row.backward else name


X = torch.arange(12.0).view(3, 4)
LARGE = torch.randn(1, 3, 8, 8)
INSTEAD = {
    "expand": (lambda: X[:, :1].repeat(2, 1, 5), lambda: X[:, :1].expand(2, 3, 5)),
    "slice": (lambda: X[:, [0, 2]], lambda: X[:, ::2]),
    "cut": (lambda: nn.functional.pad(X, (-1, -1)), lambda: X[..., 1:-1]),
    "dtype": (lambda: torch.zeros(3).double(), lambda: torch.zeros(3, dtype=torch.float64)),
    "in place": (lambda: X.clone().tril(), lambda: X.clone().tril_()),
    "windows": (
        lambda: nn.functional.unfold(LARGE, 2).view(1, 3, 2, 2, 7, 7),
        lambda: LARGE.unfold(2, 2, 1).unfold(3, 2, 1).permute(0, 1, 4, 5, 2, 3),
    ),
    "a mask": (
        lambda: X.clone().masked_fill(X > 5, 0.0),
        lambda: X.clone().masked_fill_(X > 5, 0.0),
    ),
    "silu": (
        lambda: nn.functional.silu(X.clone().requires_grad_() * 1, inplace=True),
        lambda: nn.functional.silu(X.clone().requires_grad_() * 1),
    ),
}


@pytest.mark.parametrize("name", INSTEAD)
def test_what_is_told_to_do_instead_copies_less_and_gives_the_same(name):
    """Each is tried."""
    before, after = INSTEAD[name]
    with sk.watch() as first:
        one = before()
    with sk.watch() as second:
        other = after()
    assert torch.equal(one, other)
    assert second.bytes_copied < first.bytes_copied


def test_the_picture_of_a_ravel_shows_the_seam():
    """As that of any other reshape: what cannot be viewed stands on one storage."""
    with sk.watch() as seen:
        torch.ravel(X.t())
    (row,) = seen.copies
    assert row.call == "ravel"
    assert len(re.findall("^storage", row.diagram().text(), re.M)) == 1


def test_a_sparse_gradient_has_no_strides_of_its_parameter():
    """Its values and its indices are copied, and their strides do not come from there."""
    w = torch.rand(3, 4, requires_grad=True)
    with sk.watch() as seen:
        nn.functional.embedding(torch.tensor([1, 2]), w, sparse=True).sum().backward()
    (row,) = [row for row in seen.copies if row.call == "AccumulateGrad"]
    assert (row.bytes, row.why) == (2 * 4 * 4 + 2 * 8, "")


def test_unbind_goes_back_in_one_copy():
    """Three parts one by one: three gradients of all. Together: one stack."""
    w = torch.rand(3, 4, requires_grad=True)
    with sk.watch() as apart:
        steps_back(w)
    first, w.grad = w.grad, None
    with sk.watch() as together:
        unbound_back(w)
    assert torch.equal(first[:, :3], w.grad[:, :3])
    assert [row.operation for row in together.copies] == ["stack"]
    assert [row.times for row in apart.copies] == [3]


def pad(x, mode):
    return nn.functional.pad(x, (1, 2, 0, 1), mode)


MADE = {
    "repeat_interleave by a number": lambda x: x.repeat_interleave(4, dim=1),
    "repeat_interleave by numbers": lambda x: x.repeat_interleave(torch.arange(1, 5), dim=1),
    "repeat_interleave of all": lambda x: x.flatten().repeat_interleave(2),
    "repeat": lambda x: x.repeat(2, 1, 1, 1, 3),
    "tile": lambda x: torch.tile(x, (2, 1, 1, 1)),
    "roll": lambda x: torch.roll(x, 1, 1),
    "roll, flat": lambda x: x.roll(5),
    "rot90": lambda x: torch.rot90(x, 1, (2, 3)),
    "rot90, twice": lambda x: torch.rot90(x, 2, (0, 3)),
    "rot90, not at all": lambda x: torch.rot90(x, 0, (2, 3)),
    "flip": lambda x: x.flip(1, 3),
    "flipud": lambda x: x.flipud(),
    "cat": lambda x: torch.cat([x, x, x], -2),
    "cat, of one more": lambda x: torch.cat([torch.zeros(0), x, x[:, :1]], 1),
    "cat, promoted": lambda x: torch.cat([x, torch.ones(1, 4, 4, 6, dtype=torch.double)]),
    "hstack": lambda x: torch.hstack([x, x]),
    "column_stack": lambda x: torch.column_stack([x[0, 0, 0], x[0, 0, 0]]),
    "stack": lambda x: torch.stack([x, x], -1),
    "stack, along channels": lambda x: torch.stack([x, x, x], 1),
    "stack, in front": lambda x: torch.stack([x, x]),
    "block_diag": lambda x: torch.block_diag(x[0, 0], x[0, 0, 0], torch.tensor(1.0)),
    "repeat_interleave, by a tensor": lambda x: x.repeat_interleave(
        torch.tensor([1, 0, 3])[::2], 0
    ),
    "repeat_interleave, to a size": lambda x: x.repeat_interleave(
        torch.tensor([1, 2]), 0, output_size=3
    ),
    "slice_scatter, with gaps": lambda x: x[..., ::2].slice_scatter(x[..., :1], 3, 0, 1),
    "index_select": lambda x: x.index_select(-2, torch.tensor([0, 1, 0])),
    "index": lambda x: x[:, [1, 0, 1]],
    "index, in front": lambda x: x[[1, 0, 1]],
    "index, apart": lambda x: x[[0], :, [[1, 0, 1]]],
    "mask": lambda x: x[x.abs() > 10],
    "mask, in front": lambda x: x[torch.tensor([True, False])],
    "take": lambda x: x.take(torch.tensor([[0, 2]])),
    "take_along_dim": lambda x: torch.take_along_dim(
        x, torch.zeros(1, 4, 1, 6, dtype=torch.long), 2
    ),
    "gather": lambda x: x.gather(2, torch.zeros(1, 2, 9, 4, dtype=torch.long)),
    "embedding": lambda x: nn.functional.embedding(torch.tensor([[0, 2]]), x[0, 0]),
    "scatter": lambda x: x.scatter(0, torch.zeros(1, 4, 4, 6, dtype=torch.long), x),
    "pad": lambda x: pad(x, "constant"),
    "pad, less": lambda x: nn.functional.pad(x, (-1, 3)),
    "pad, mirrored": lambda x: pad(x, "reflect"),
    "pad, repeated": lambda x: pad(x, "replicate"),
    "pad, around": lambda x: pad(x, "circular"),
    "tril": lambda x: x.tril(),
    "pixel_shuffle": lambda x: nn.functional.pixel_shuffle(x, 2),
    "pixel_unshuffle": lambda x: nn.functional.pixel_unshuffle(x, 2),
    "channel_shuffle": lambda x: nn.functional.channel_shuffle(x, 2),
    "unfold": lambda x: nn.functional.unfold(x, (2, 3), dilation=(2, 1), padding=1, stride=(1, 2)),
    "double": lambda x: x.double(),
}
ORDERS = {
    "contiguous": torch.arange(192.0).view(2, 4, 4, 6),
    "channels_last": torch.arange(192.0).view(2, 4, 6, 4).permute(0, 3, 1, 2),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", MADE)
def test_the_header_and_the_bytes_are_those_of_what_comes(name, order):
    """Whatever went in: kernels keep channels_last where other ways to do the same do not."""
    x = ORDERS[order]
    with sk.watch() as seen:
        made = MADE[name](x)
    row = max(seen.copies, key=lambda row: row.bytes)
    assert (row.result.size, row.result.stride) == (tuple(made.shape), made.stride())
    assert (row.result.dtype, row.bytes) == (str(made.dtype)[6:], made.nbytes)


@pytest.mark.parametrize("dtype", [torch.half, torch.bfloat16])
@pytest.mark.parametrize("order", ORDERS)
def test_what_works_in_another_dtype_inside_gives_its_own(order, dtype):
    """On the processor halves are scattered as floats, and back."""
    x, index = ORDERS[order].to(dtype), torch.zeros(1, 4, 4, 6, dtype=torch.long)
    with sk.watch() as seen:
        made = x.scatter(0, index, 1)
    (row,) = seen.copies
    assert (row.result.size, row.result.stride) == (tuple(made.shape), made.stride())
    assert (row.result.dtype, row.bytes) == (str(dtype)[6:], made.nbytes)


BATCHED = ["repeat", "tile", "roll", "rot90", "flip", "cat", "stack", "index", "gather", "tril"]
BATCHED += ["pad", "pad, mirrored", "pixel_shuffle", "take_along_dim"]


@pytest.mark.parametrize("name", BATCHED)
def test_what_torch_func_batches_counts_whole(name):
    """Where it is derived, too: there torch's kernels are given all twice."""
    x = torch.rand(3, 2, 4, 4, 6)
    of_all = torch.vmap(torch.func.grad(lambda x: MADE[name](x).sum().float()))
    # The first time, torch loads its compilers: millions of calls, of which all would be recorded.
    of_all(x)
    with sk.watch() as seen:
        of_all(x)
    (row,) = (row for row in seen.copies if row.call == row.operation and not row.backward)
    assert row.bytes == 3 * MADE[name](x[0]).nbytes


REFUSED = {
    "cat, nothing": lambda x: torch.cat([]),
    "cat, of other sizes": lambda x: torch.cat([x, x[:, :3]]),
    "cat, of other ranks": lambda x: torch.cat([x, x[0]], 1),
    "stack, of other sizes": lambda x: torch.stack([x, x[:2]]),
    "repeat, too few": lambda x: x.repeat(2),
    "index_select, by rows": lambda x: x.index_select(0, torch.tensor([[0]])),
    "gather, of other ranks": lambda x: x.gather(0, torch.tensor([0])),
    "pad, more than there is": lambda x: nn.functional.pad(x, (9, 9), "reflect"),
    "pad, less than nothing": lambda x: nn.functional.pad(x, (-9, 2)),
    "pixel_shuffle, not divided": lambda x: nn.functional.pixel_shuffle(x[None], 2),
    "unfold, larger than all": lambda x: nn.functional.unfold(x[None, None], 9),
    "reshape": lambda x: x.t().reshape(5),
    "tril, of one dim": lambda x: x[0].tril(),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_torch_refuses_copies_nothing(name):
    """The program may go on, and the recording can be read."""
    with sk.watch() as seen, pytest.raises((RuntimeError, ValueError, IndexError)):
        REFUSED[name](torch.zeros(3, 4))
    assert (seen.copies, seen.notes) == ([], [])


def test_growing_sizes_are_one_row():
    """A cache that grows is one cause, and what to do about it is said."""
    cache = torch.zeros(2, 1, 4)
    with sk.watch() as seen:
        for _ in range(5):
            cache = torch.cat([cache, torch.zeros(2, 1, 4)], 1)
    (row,) = seen.copies
    assert (row.times, row.size) == (5, "(2, 2-6, 4)")
    assert row.bytes == 4 * 8 * (2 + 3 + 4 + 5 + 6)
    assert "whole[n] = part" in row.instead
    assert "size (2, 2-6, 4)" in str(seen)


def test_a_list_that_grows_is_one_row():
    """In the size that stack gives."""
    parts = []
    with sk.watch() as seen:
        for _ in range(4):
            parts.append(torch.zeros(2, 3))
            torch.stack(parts, -1)
            torch.cat(parts)
    row, cat = sorted(seen.copies, key=lambda row: row.operation, reverse=True)
    assert (row.times, row.size, row.bytes) == (4, "(2, 3, 1-4)", 4 * 6 * (1 + 2 + 3 + 4))
    assert row.result.size == (2, 3, 4)
    assert all("whole[n] = part" in each.instead for each in (row, cat))


def test_no_range_holds_sizes_of_more_or_fewer_dims():
    """Of weights and biases the largest are told, and that there are others."""
    layers = nn.Sequential(nn.Linear(8, 16), nn.Linear(16, 4))
    with sk.watch() as seen:
        for each in layers.parameters():
            each.detach().clone()
    (row,) = seen.copies
    assert (row.times, row.size) == (4, "(4-16, 8-16) and others")
    assert "size (4-16, 8-16) and others; clone was asked to copy" in str(seen)


def test_sizes_that_differ_are_no_whole_that_grows():
    """Half of each head turned, of queries and keys; batches, one smaller; a token in front."""
    q, k, data = torch.zeros(2, 4, 3, 8), torch.zeros(2, 2, 3, 8), torch.zeros(19, 2)

    def turned(x):
        return torch.cat([-x[..., 4:], x[..., :4]], -1)

    with sk.watch() as seen:
        for _ in range(3):
            turned(k), turned(q)
        for batch in data.split(8):
            torch.stack(list(batch))
        for n in (4, 5, 6, 3):
            torch.cat([data[:1], data[:n]])
        for n in (3, 4):
            torch.cat([torch.zeros(0), data[:n].t()], 1)
    told = sorted((row.operation, row.times, row.instead) for row in seen.copies)
    assert told == [("cat", 2, ""), ("cat", 4, ""), ("cat", 6, ""), ("stack", 3, "")]


def test_what_a_library_calls_is_not_for_its_caller_to_change(tmp_path):
    """Nor what torch makes of a call, on the way back too; formats and in place are his choice."""
    package = tmp_path / "site-packages" / "layers.py"
    package.parent.mkdir()
    package.write_text(
        "def mixed(x, w):\n"
        "    y = x[[0, 2]].double().tril().repeat(1, 1)\n"
        "    return y.sum() + w[:, 0].sum() + w[:, 1].sum()\n"
    )
    mixed = runpy.run_path(str(package))["mixed"]
    w, x = torch.rand(3, 4, requires_grad=True), torch.zeros(3, 4)
    image = torch.zeros(1, 3, 8, 8, requires_grad=True)
    last = image.detach().contiguous(memory_format=LAST)
    padded = nn.utils.rnn.pack_padded_sequence(x[None].mT, [4], batch_first=True)
    with sk.watch() as seen:
        (mixed(x, w) + nn.functional.pad(image, (1, 1, 1, 1), "circular").sum()).backward()
        nn.utils.rnn.pad_packed_sequence(padded, total_length=5)
        torch.zeros(3, requires_grad=True).index_add(
            0, torch.tensor([0]), torch.ones(1, requires_grad=True)
        ).sum().backward()
    assert {row.operation for row in seen.copies if row.backward} >= {
        "select_backward",
        "slice_backward",
        "index_select",
    }
    assert [(row.name, row.instead) for row in seen.copies if row.instead] == []
    with sk.watch() as seen:
        nn.Conv2d(3, 4, 3)(last)
        nn.ReLU6(inplace=True)(w * 1)
    assert all(row.instead for row in seen.copies)


def test_what_grows_inside_of_a_layer_is_not_the_users_to_make():
    """A GRU joins its steps itself: nobody can write them into a whole."""
    packed = nn.utils.rnn.pack_padded_sequence(torch.randn(7, 3, 8), [7, 5, 2])
    gru = nn.GRU(8, 16)
    with sk.watch() as seen:
        gru(packed)
    joined = [row for row in seen.copies if row.operation == "cat"]
    assert any(row.smallest != row.largest for row in joined)
    assert not any(row.instead for row in joined)


def test_equal_layers_are_one_row_with_their_modules():
    """Twelve of them, in a model."""
    model = nn.ModuleDict({"encoder": nn.Sequential(*(Attention() for _ in range(12)))})
    with sk.watch() as seen:
        model["encoder"](torch.randn(2, 6, 16))
    (row,) = [row for row in seen.copies if row.call == "reshape"]
    assert row.times == 12
    assert row.module == "encoder.0-11"
    assert list(row.modules) == [f"encoder.{n}" for n in range(12)]
    assert "×12" in str(seen)


def test_a_model_that_is_gone_when_its_last_slice_is_read_has_its_paths(monkeypatch):
    """They were seen before, at the same addresses."""
    monkeypatch.setattr(recording, "time", clock := Clock())

    def program():
        model = nn.ModuleDict({"encoder": nn.Sequential(*(Attention() for _ in range(3)))})
        for _ in range(3):
            model["encoder"](torch.randn(2, 6, 16))
            clock.moves_on(1.0)
        model["encoder"](torch.randn(2, 6, 16))

    with sk.watch() as seen:
        program()
    (row,) = [row for row in seen.copies if row.call == "reshape"]
    assert (row.module, row.times) == ("encoder.0-2", 12)


def test_a_library_stands_between():
    """The user's line, and with `lines` the library's."""
    model = nn.Sequential(nn.Conv2d(3, 4, 3)).to(memory_format=torch.channels_last)
    with sk.watch() as seen:
        model(torch.randn(1, 3, 8, 8))
    (row,) = seen.copies
    assert row.place.code == "model(torch.randn(1, 3, 8, 8))"
    assert row.library.file.endswith("conv.py")
    assert row.module == "0"
    assert "conv.py" in seen.table(lines="library")
    assert "conv.py" not in str(seen)


def test_the_way_back_of_a_librarys_function_is_told_where_it_is_called(tmp_path):
    """Not where the operation before it is: what a function for autograd calls makes no nodes."""
    package = tmp_path / "site-packages" / "functions.py"
    package.parent.mkdir()
    package.write_text(
        "import torch\n"
        "class Double(torch.autograd.Function):\n"
        "    forward = staticmethod(lambda context, x: x * 2)\n"
        "    backward = staticmethod(lambda context, gradient: gradient.t().contiguous().t() * 2)\n"
    )
    double = runpy.run_path(str(package))["Double"].apply
    w, x = torch.rand(3, 4, requires_grad=True), torch.rand(3, 4)
    with sk.watch() as seen:
        y = w * 3
        y = double(y)
        (y * x).sum().backward()
    (row,) = [row for row in seen.copies if row.call == "contiguous"]
    assert (row.place.code, row.backward) == ("y = double(y)", True)
    assert row.library.file == str(package)


@pytest.mark.parametrize(
    "file",
    [
        "<attrs generated methods __main__.A>",
        "<@beartype(__main__.f) at 0x7f>",
        "<decorator-gen-12>",
        "torch_geometric.nn.conv.gcn_conv_GCNConv_propagate_c25wefs0.py",
    ],
)
def test_what_a_library_writes_while_it_runs_is_not_the_users(file, tmp_path):
    """As a class of attrs does, which converts what it is given, or a layer of PyG."""
    place, text = file if file.startswith("<") else tmp_path / file, "f = lambda x: x.flip(0)\n"
    if place != file:
        place.write_text(text)
    space = {}
    exec(compile(text, str(place), "exec"), space)
    with sk.watch() as seen:
        space["f"](torch.zeros(3))
    (row,) = seen.copies
    assert row.place.code == 'space["f"](torch.zeros(3))'


def operators(x, y):
    first = x @ y
    second = y.t() @ x.t()
    if len(first):
        second = second + first.t()
    for _ in range(2):
        third = x[:, torch.arange(2)]
        third = third * 2
    fourth = x[[0]]
    x[torch.tensor([1])] = fourth
    x[0] = fourth
    x[[2]] = x[[3]]
    x[x > 50] = 1.0
    return second, third


@pytest.mark.usefixtures("_in_one_slice")
def test_operators_have_lines():
    """`[]` and `@` are not calls that a profiler sees; the calls around them tell the line."""
    x = torch.randn(4, 4)
    with sk.watch() as seen:
        operators(x, x)
    told = {(row.place.code, row.times) for row in seen.copies}
    assert told == {
        ("third = x[:, torch.arange(2)]", 2),
        ("fourth = x[[0]]", 1),
        ("x[torch.tensor([1])] = fourth", 1),
        ("x[0] = fourth", 1),
        ("x[[2]] = x[[3]]", 1),
    }


def unclear(x, flag):
    if flag:
        y = x[[0]]
        return y  # noqa: RET504
    y = x[[1]]
    return y  # noqa: RET504


def test_a_line_that_is_not_certain_is_not_given():
    """Two lines may have done it: both are named."""
    with sk.watch() as seen:
        unclear(torch.randn(4, 4), flag=True)
    (row,) = seen.copies
    assert row.place.code == ""
    assert re.search(r"lines (\d+)-(\d+), in unclear", str(seen))


WAYS = {
    "before the first call": """
for n in f(range(3)):
    y = x[[0] * 3]
    f(x)
    y = x[[0] * 5]
""",
    "after a call in a line": """
for n in f(range(3)):
    y = x[[0] * 3]
    y = f(f(x) + x[[0] * 4][:1])
""",
    "on the line of a loop": """
if f is None:
    y = x[[0] * 3]
for n in range(3): f(x[[0] * 4])
""",
    "beside what Python calls by itself": """
class Own:
    def __add__(self, x): return x
own = Own()
if f is None: y = x[[0] * 5]
for n in range(3): own + x[[0] * 6]
""",
    "past what is skipped": """
for n in f(range(3)):
    if n == 1:
        y = f(x[[0] * 4])
        y = x[[0] * 5]
    y = x[[0] * 6]
    y = x[[0] * 7]
""",
    "in a loop within": """
for n in f(range(2)):
    for m in f(range(2)):
        y = x[[0] * 4]
        y = x[[0] * 5]
    y = f(x[[0] * 6])
""",
    "past what raises": """
f(x)
try:
    y = x[[0] * 4]
    raise ValueError
    y = f(x[[0] * 6])
except ValueError:
    y = x[[0] * 8]
finally:
    y = x[[0] * 10]
f(x)
""",
    "by one of two branches": """
for n in (1, 2):
    f(x)
    if n == 1:
        y = x[[0] * 5]
    else:
        y = x[[0] * 7]
    f(x)
""",
    "of several on a line": """
for n in (1, 2):
    y = f(f(x)[:1] + x[[0] * 3][:1]); y = x[[0] * 3]
    y = x[[0] * 4][:1] + f(x)[:1]; y = [x[[0] * 4] for _ in range(int(2))]
""",
    "in functions of one name": """
def program(x, f):
    y = x[[0] * 3]
    return f(x[[0] * 4])
y = program(x, f)[:1] + x[[0] * 5][:1]
y = x[[0] * 6]
""",
    "in a generator": """
def program(x, f):
    while True:
        y = x[[0] * 4]
        yield f(x)
        y = x[[0] * 6]
y = program(x, f)
next(y), next(y), next(y)
""",
    "over several lines": """
y = f((
    x[[0] * 3][:1]
    + f(x)[:1]
    + x[[0] * 5][:1]
))
y = x[[0] * 7]
""",
    "after a loop that ends by itself": """
n = 0
while (n := n + 1) < 3:
    y = x[[0] * 4]
else:
    y = x[[0] * 6]
y = (lambda x: x[[0] * 7])(x)
""",
}


@pytest.mark.parametrize("name", WAYS)
def test_no_line_is_certain_where_another_may_have_been_it(name):
    """A profiler sees the calls alone. Here each operator takes as many rows as its line says."""
    source = f"def program(x, f):{WAYS[name]}".replace("\n", "\n    ")
    file, space = f"<cell of ways: {name}>", {}
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), space)
    with sk.watch() as seen:
        space["program"](torch.zeros(1, 2), lambda x: x)
    rows = [row for row in seen.copies if row.call == "index"]
    assert rows
    for row in rows:
        assert row.place.line <= row.smallest[0] <= row.largest[0] <= row.place.last
    assert not any("fault" in note for note in seen.notes)


@pytest.mark.usefixtures("_in_one_slice")
def test_calls_that_are_not_seen_have_their_lines():
    """C calls C: `map` calls clone, and no operator does that."""
    x = torch.zeros(2, 2)
    with sk.watch() as seen:
        x.abs()
        copies = [*map(torch.clone, [x, x])]
        x.abs()
    (row,) = seen.copies
    assert (row.place.code, row.times) == ("copies = [*map(torch.clone, [x, x])]", 2)
    assert len(copies) == 2


def test_where_the_source_is_gone_lines_are_not_certain():
    """Then it is near the last one that was seen."""
    space = {"torch": torch}
    exec(compile("def program(x):\n    x.t()\n    return x[[0]]\n", "<gone cell>", "exec"), space)
    with sk.watch() as seen:
        space["program"](torch.zeros(2, 2))
    (row,) = seen.copies
    assert row.place.where == "<gone cell>, near line 2, in program"
    assert row.place.code == ""


def test_a_module_that_is_edited_and_loaded_again_has_its_new_lines(tmp_path):
    """As a notebook does it with %autoreload."""
    file, found = tmp_path / "edited.py", []
    for above in ("", "import torch\n\n\n"):
        file.write_text(f"{above}def program(x):\n    x.t()\n    return x[[0]]\n")
        program = runpy.run_path(str(file))["program"]
        with sk.watch() as seen:
            program(torch.zeros(2, 2))
        found += [(row.place.line, row.place.code) for row in seen]
    assert found == [(3, "return x[[0]]"), (6, "return x[[0]]")]


def test_each_operation_has_its_time():
    """The slowest comes first, whatever its bytes."""
    large, small = torch.randn(1000, 1000), torch.randn(3, 3)
    with sk.watch() as seen:
        large.t().contiguous()
        small.t().contiguous()
    assert [row.result.size for row in seen.copies] == [(1000, 1000), (3, 3)]
    assert [row.seconds for row in seen] == sorted((row.seconds for row in seen), reverse=True)


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
    "index": lambda x: x[torch.arange(x.shape[0])],
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
            if x.dim() > 5 or not 1 < x.numel() <= 4096:
                break
            with sk.watch() as seen:
                y = OPERATIONS[name](x)
            alive.append(y)
            shares = y.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
            if shares or name == "add":
                assert seen.bytes_copied == 0
                continue
            (row,) = seen.copies
            assert row.bytes == y.numel() * y.element_size()
            assert row.result.size == tuple(y.shape)


def test_autocast_shows_its_conversions():
    """float32 becomes bfloat16 on the way into a product."""
    x, w = torch.zeros(3, 4), torch.zeros(4, 5)
    with torch.autocast("cpu", dtype=torch.bfloat16), sk.watch() as seen:
        y = x @ w
    assert y.dtype == torch.bfloat16
    assert sorted(row.bytes for row in seen.copies) == [24, 40]
    assert all("works in bfloat16 here, and was given float32" in row.why for row in seen.copies)


def test_compiled_functions_stay_compiled():
    """What they copy is told as theirs, and nothing is compiled again."""
    from torch._dynamo.testing import CompileCounter

    counter = CompileCounter()
    double = torch.compile(lambda x: x.t().reshape(-1) * 2, backend=counter)
    x = torch.zeros(3, 4)
    double(x)
    with sk.watch() as seen:
        double(x)
    double(x)
    assert counter.frame_count == 1
    (row,) = seen.copies
    assert (row.bytes, row.compiled) == (48, True)
    assert "torch.compile(lambda" in row.place.code
    assert "inside of a compiled function" in str(seen)


def test_the_way_back_of_a_compiled_function_is_told_at_its_line():
    """As its way forward, in a row of its own."""

    @torch.compile(backend="aot_eager")
    def double(x):
        return x.t().reshape(-1).sin()

    x = torch.rand(3, 4, requires_grad=True)
    double(x).sum().backward()
    with sk.watch() as seen:
        y = double(x)
        y.sum().backward()
    assert {row.place.function for row in seen.copies} == {"double"}
    assert {(row.call, row.backward) for row in seen.copies} >= {
        ("clone", False),
        ("CompiledFunctionBackward", True),
    }


def test_what_compiles_inside_is_not_told():
    """The compiler copies on its own account."""
    with sk.watch() as seen:
        torch.compile(lambda x: x.t().reshape(-1) * 2, backend="aot_eager")(torch.zeros(3, 4))
    assert seen.bytes_copied in (0, 48)


def test_nothing_of_ours_is_compiled():
    """We come in between any two instructions, also of what torch.compile is to compile."""
    out = run(
        "import contextlib, torch, stridekit as sk\n"
        "from torch._dynamo.utils import counters\n"
        "def slow(n):\n"
        "    print(end='')\n"
        "    return [str(n) for n in range(20_000)]\n"
        "def program(x):\n"
        "    for n in range(100): slow(n)\n"
        "    return x.t().contiguous()\n"
        "for context in (contextlib.nullcontext(), sk.watch()):\n"
        "    torch._dynamo.reset()\n"
        "    counters.clear()\n"
        "    with context: torch.compile(program, backend='eager')(torch.zeros(3, 4))\n"
        "    print(counters['frames']['total'])"
    )
    unwatched, watched = out.split()
    assert watched == unwatched


def test_a_watch_in_what_is_compiled_is_not_compiled(recwarn):
    """What stands around it is, and torch warns of nothing."""
    from torch._dynamo.testing import CompileCounter

    counter, watches = CompileCounter(), []

    @torch.compile(backend=counter)
    def program(x):
        doubled = x * 2
        with sk.watch() as seen:
            turned = doubled.t().contiguous()
        watches.append(seen)
        return turned

    x = torch.rand(3, 4)
    assert torch.equal(program(x), x.t() * 2)
    assert counter.frame_count == 1
    assert [row.call for row in watches[0].copies] == ["contiguous"]
    assert [str(each.message) for each in recwarn] == []


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


@pytest.mark.parametrize("kind", [RuntimeError, KeyboardInterrupt, SystemExit, GeneratorExit])
def test_an_exception_passes_through_and_what_was_seen_stays(kind):
    """And nothing goes on listening."""
    x = torch.zeros(3, 4)
    watch = sk.watch()
    seen = watch.__enter__()
    x.clone()
    with pytest.raises(kind) as raised:
        raise kind
    assert watch.__exit__(raised.type, raised.value, raised.tb) is None
    assert seen.bytes_copied == 48
    assert not torch.autograd._profiler_enabled()
    x.clone()
    assert seen.bytes_copied == 48
    with pytest.raises(WatchError, match=r"watch\(\) ends before it begins: write"):
        watch.__exit__(None, None, None)
    with pytest.raises(WatchError, match=r"watch\(\) is not a decorator: .* round the call\."):
        watch(print)


def test_ctrl_c_while_it_reads_waits_until_all_is_read(monkeypatch):
    """Reading takes longer than what is read, so most come there. Then all is let go, at once."""
    from stridekit.own_code.copies import Reader

    real = Reader.read

    def read(self, *more):
        os.kill(os.getpid(), signal.SIGINT)
        yield from real(self, *more)

    monkeypatch.setattr(Reader, "read", read)

    def program():
        x = torch.zeros(3, 4)
        try:
            with sk.watch() as seen:
                x.clone()
        except KeyboardInterrupt:
            return seen, weakref.ref(x)

    gc.disable()
    try:
        seen, x = program()
        assert x() is None
    finally:
        gc.enable()
    assert seen.bytes_copied == 48
    assert 0 < seen.watched <= seen.seconds
    assert not torch.autograd._profiler_enabled()


@pytest.mark.parametrize("after", ["_prepare_profiler", "_enable_profiler"])
def test_ctrl_c_while_it_begins_leaves_nothing(after, monkeypatch, capfd):
    """It comes while C prepares or begins to record, and is raised after that."""

    def at_once(function, calls):
        # C alone goes through these, so that nothing is raised between.
        calls = [*calls]
        for place, each in enumerate(calls):
            if each and each[0] is getattr(torch.autograd, after):
                steps = starmap(function, [each])
                calls[place] = (list, chain(steps, starmap(_thread.interrupt_main, [()])))
        return starmap(function, calls)

    x, callbacks = torch.zeros(3, 4), [*gc.callbacks]
    with sk.watch():
        x.clone()
    with monkeypatch.context() as patched:
        patched.setattr(torch_profiler, "starmap", at_once)
        with pytest.raises(KeyboardInterrupt):
            sk.watch().__enter__()
    assert (sys.getprofile(), torch.autograd._profiler_enabled()) == (None, False)
    assert (recording.under_way, gc.callbacks) == ([], callbacks)
    with sk.watch() as seen:
        x.clone()
    assert (seen.bytes_copied, seen.notes) == (48, [])
    assert capfd.readouterr().err == ""


AUDITED = """
import _thread, gc, sys, torch, stridekit as sk
from stridekit.own_code import recording
events, fatal = [], 0
def audit(event, _):
    if event == "sys.setprofile":
        events.append(sys.getprofile() is not None)
        if len(events) == fatal:
            _thread.interrupt_main()
            for _ in range(2): pass
sys.addaudithook(audit)
def bytes_copied():
    events.clear()
    with sk.watch() as seen:
        x.clone()
    return seen.bytes_copied, seen.notes
x = torch.zeros(3, 4)
bytes_copied()
callbacks = [*gc.callbacks]
bytes_copied()
for fatal in range(1, events.index(True) + 2):
    try:
        bytes_copied()
    except KeyboardInterrupt:
        print("heard", end=" ")
    assert (sys.getprofile(), torch.autograd._profiler_enabled()) == (None, False), fatal
    assert (recording.under_way, gc.callbacks) == ([], callbacks), fatal
    fatal = 0
    print(*bytes_copied())
"""


def test_ctrl_c_is_heard_where_somebody_has_audit_hooks():
    """Python runs them where C lets a profiler come or go, and there nobody raises anything."""
    heard = run(AUDITED).splitlines()
    assert len(heard) > 1
    assert {*heard} == {"heard 48 []"}


def test_kineto_is_silent_at_every_level(capfd):
    """Its most talkative one is 0, and stays."""
    level = torch_profiler._level()
    if level is None:
        # As on Windows, where it is hidden.
        return
    # When it begins for the first time, it asks the environment.
    torch_profiler.own_thread()
    held, level.value = level.value, 0
    try:
        with sk.watch():
            torch.zeros(3, 4).clone()
        assert level.value == 0
    finally:
        level.value = held
    assert capfd.readouterr().err == ""


def test_generators_and_coroutines():
    """A block that is left and entered again, and one that is opened by a stack of contexts."""
    from contextlib import ExitStack

    def parts(x):
        with sk.watch() as seen:
            yield x.clone()
            yield x.t().contiguous()
        yield seen

    seen = list(parts(torch.zeros(3, 4)))[-1]
    assert seen.bytes_copied == 2 * 48
    with ExitStack() as stack:
        seen = stack.enter_context(sk.watch())
        nn.functional.pad(torch.zeros(3, 4), (1, 1))
    assert seen.copies[0].place.file == __file__


def test_other_threads_are_refused_and_named():
    """None but the main one can be watched; one that is started is told."""
    refused = []

    def work():
        try:
            with sk.watch():
                pass
        except WatchError as error:
            refused.append(str(error))

    thread = threading.Thread(target=work, name="worker")
    with sk.watch() as seen:
        thread.start()
        thread.join()
    assert refused == [
        "watch() in thread 'worker': a recording has to be cut from within its thread, and Python "
        "lets nobody into any but the main one. Open it there."
    ]
    (note,) = seen.notes
    assert "Another thread or process is at work (test_watch.py, line" in note


def test_a_thread_that_was_there_before_is_named_where_it_copies():
    """And not where it only waits, or works with other things."""
    begins, done = threading.Event(), threading.Event()
    works = [lambda: sorted(range(9)), lambda: torch.ones(3, 4).t().contiguous(), None]
    todo = iter(works)

    def attend():
        while begins.wait() and (work := next(todo)):
            begins.clear()
            work()
            done.set()

    thread = threading.Thread(target=attend)
    thread.start()
    notes = []
    for _ in range(2):
        done.clear()
        with sk.watch() as seen:
            begins.set()
            done.wait()
        notes.append(seen.notes)
    begins.set()
    thread.join()
    none, (note,) = notes
    assert none == []
    assert re.search(r"is at work \(test_watch.py, line \d+, in <lambda>\)", note)


def test_a_thread_that_is_in_the_middle_of_a_copy_is_named_there():
    """What it is in when the recording begins has not begun in it."""
    x, copied, done = torch.ones(64, 64), [], threading.Event()

    def copies_on():
        while not done.is_set():
            copied.append(x.roll(1).shape)

    thread = threading.Thread(target=copies_on)
    thread.start()
    with sk.watch() as seen:
        before = len(copied)
        while len(copied) < before + 3:
            time.sleep(0.001)
    done.set()
    thread.join()
    assert re.search(r"at work \(test_watch.py, line \d+, in copies_on\)", "".join(seen.notes))


def test_processes_that_are_started_are_named():
    """Such as a DataLoader's workers; without them, what it copies is told.

    To one that is no fork, as on macOS and since Python 3.14, the data set is handed as a copy.
    """
    dataset = torch.utils.data.TensorDataset(torch.ones(8, 2))
    ways = {"fork": []} if sys.platform.startswith("linux") else {}
    for way, made in {None: ["stack"], **ways, "spawn": ["copy_"]}.items():
        with sk.watch() as seen:
            for _ in torch.utils.data.DataLoader(
                dataset, batch_size=4, num_workers=bool(way), multiprocessing_context=way
            ):
                pass
        assert bool(seen.notes) == bool(way)
        assert [row.call for row in seen.copies] == made


def test_nothing_is_loaded_for_it_and_the_environment_stays():
    """torch's compilers would tell what comes of `cat`, take seconds to load, and set variables."""
    out = run(
        "import os, sys, torch, stridekit as sk\n"
        "environment = dict(os.environ)\n"
        "x = torch.zeros(2, 4, 4, 4)\n"
        "with sk.watch() as seen:\n"
        "    y = torch.cat([x.flip(0), x.roll(1, 0)]).repeat(2, 1, 1, 1)\n"
        "    y[[0, 1]].tril().take(x.long())\n"
        "assert dict(os.environ) == environment\n"
        "print(len(seen), {'sympy', 'torch._dynamo'} & {*sys.modules})"
    )
    assert out == "8 set()\n"


def test_another_profiler_says_on_stderr_what_it_always_says():
    """Kineto has one level for all. A watch says nothing, be it the first or not."""
    theirs = "with torch.profiler.profile(): torch.zeros(3)\n"
    ours = "with sk.watch(): torch.zeros(3).clone()\n"
    for program in (ours + theirs + ours, theirs + ours + theirs):
        done = started(f"import torch, stridekit as sk\n{program}")
        assert done.stderr.count("profiler_start") == program.count(theirs)


def test_another_profiler_is_refused():
    """torch's and Python's, with a sentence at the `with`; and a watch inside of it goes on."""
    sentence = "watch\\(\\) while another profiler is open: .* room for one"
    with torch.profiler.profile() as profile, pytest.raises(WatchError, match=sentence):
        sk.watch().__enter__()
    assert profile.events() is not None
    with cProfile.Profile():
        # From Python 3.13 on it has a place of its own.
        if sys.version_info < (3, 13):
            with pytest.raises(WatchError, match=sentence):
                sk.watch().__enter__()
    sys.setprofile(lambda *_: None)
    try:
        with pytest.raises(WatchError, match=sentence):
            sk.watch().__enter__()
        assert sys.getprofile() is not None
    finally:
        sys.setprofile(None)


def test_what_another_profiler_ends_ends_silently():
    """One of Python's says nothing itself."""
    done = started(
        "import sys, torch, stridekit as sk\n"
        "with sk.watch() as seen:\n"
        "    sys.setprofile(lambda *_: None)\n"
        "    sys.setprofile(None)\n"
        "print(seen.notes)\n"
    )
    assert "Another profiler was opened" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("other", [cProfile.Profile, torch.profiler.profile])
def test_another_profiler_in_the_block_is_told(other):
    """It takes the place of this one, which says so, and later blocks are watched."""
    if other is cProfile.Profile and sys.version_info[:2] == (3, 12):
        # There torch needs the place that this one has, and Python refuses it.
        with sk.watch() as seen, pytest.raises(ValueError, match="already active"):
            other().enable()
        assert seen.notes == []
        return
    with sk.watch() as seen:
        with other():
            torch.zeros(3, 4).clone()
        profile = sys.getprofile()
    # From Python 3.13 on its own profiler has a place of its own.
    is_beside = other is cProfile.Profile and sys.version_info >= (3, 13)
    assert is_beside or profile is None
    is_told = any("Another profiler was opened in the block" in note for note in seen.notes)
    assert is_told is not is_beside
    assert not any("Another thread" in note for note in seen.notes)
    with sk.watch() as seen:
        torch.zeros(3, 4).clone()
    assert (seen.bytes_copied, seen.notes) == (48, [])


def test_what_somebody_profiles_for_himself_goes_on():
    """His function is called until he takes it away, and his profile counts all calls."""

    def last():
        pass

    def work():
        end = time.perf_counter() + 0.2
        while time.perf_counter() < end:
            sorted(range(9))
        last()

    called, profile = [], cProfile.Profile()
    with sk.watch():
        sys.setprofile(lambda frame, *_: called.append(frame.f_code))
        work()
        sys.setprofile(None)
        with profile:
            work()
    assert called.count(last.__code__) == 2
    assert last.__code__ in [each.code for each in profile.getstats()]


def test_a_block_that_another_thread_leaves_ends_in_the_main_one():
    """As a generator's does that is given up there."""
    watch = sk.watch()
    seen = watch.__enter__()
    torch.zeros(3, 4).clone()
    thread = threading.Thread(target=watch.__exit__, args=(None, None, None))
    thread.start()
    thread.join()
    while sys.getprofile() is not None:
        pass
    assert seen.bytes_copied == 48
    assert not torch.autograd._profiler_enabled()


def test_somebody_may_clear_the_callbacks_of_garbage_collection():
    """Ours are taken away at the end, if they are there."""
    before = list(gc.callbacks)
    with sk.watch():
        gc.callbacks.clear()
    assert gc.callbacks == []
    gc.callbacks[:] = before


WITHOUT = """
import sys, stridekit as sk
from pkgutil import resolve_name
from stridekit.errors import WatchError
from stridekit.own_code.torch_profiler import NEEDED, lacking

assert lacking() == ""
for module, names in NEEDED.items():
    for name in names:
        home, _, name = f"{module}.{name}".rpartition(".")
        home = resolve_name(home)
        held = getattr(home, name)
        delattr(home, name)
        for each in [each for each in sys.modules if "own_code" in each]:
            del sys.modules[each]
        try:
            sk.watch().__enter__()
        except WatchError as error:
            print(error)
        setattr(home, name, held)
"""


def test_a_torch_that_lacks_something_is_named():
    """One sentence, at the `with`, whatever it is."""
    told = run(WITHOUT).splitlines()
    needed = [f"{home}.{name}" for home, names in torch_profiler.NEEDED.items() for name in names]
    start = f"watch(): torch {torch.__version__} has no "
    assert [line.removeprefix(start).partition(", which")[0] for line in told] == needed


def test_a_fault_in_reading_is_no_fault_of_the_program(monkeypatch):
    """It is told, and the program goes on."""
    from stridekit.own_code.copies import Reader

    def broken(*_):
        raise KeyError("x")

    monkeypatch.setattr(Reader, "read", broken)
    with sk.watch() as seen:
        torch.zeros(3).clone()
    assert seen.notes == ["A recording could not be read, by a fault of stridekit's: KeyError('x')"]


def test_a_long_loop_is_watched_as_long_as_it_tells_something_new(monkeypatch):
    """Then now and then; and the table says so."""
    monkeypatch.setattr(recording, "SLICE", 0.005)
    monkeypatch.setattr(recording, "_READING", 0.05)
    model = nn.Linear(4, 4)
    optimizer = torch.optim.SGD(model.parameters())
    with sk.watch() as seen:
        for step in range(1500):
            loss = model(torch.randn(2, 4)).sum()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            if step == 1400:
                for _ in range(400):
                    torch.zeros(3, 4).t().reshape(12)
    assert seen.watched < seen.seconds
    (note,) = seen.notes
    told = re.search(r"were watched, with (\d+) of about ([\d,]+) steps of an optimizer", note)
    assert told, note
    assert int(told[1]) < 1500
    assert abs(int(told[2].replace(",", "")) - 1500) <= 2
    assert not torch.autograd._profiler_enabled()


@pytest.mark.parametrize("ways", [1, 2])
def test_what_went_forward_in_a_gap_goes_back_at_its_line_where_that_is_certain(ways):
    """As other steps did. Where two lines did so, it is told where it goes back."""
    x = torch.ones(3, 4, requires_grad=True)

    def forward(way):
        if way:
            return x.select(0, 1)
        return x.select(0, 0)

    with sk.watch() as seen:
        for way in range(ways):
            forward(way).sum().backward()
        (watching,) = recording.under_way
        watching._is_busy = True
        watching._stop()
        y = forward(0).sum()
        watching._start()
        y.backward()
    told = {row.place.code: row.times for row in seen.copies if row.call == "SelectBackward0"}
    here, there = "return x.select(0, 0)", "return x.select(0, 1)"
    assert told == ({here: 2} if ways == 1 else {here: 1, there: 1, "y.backward()": 1})


@pytest.mark.parametrize(("worked", "begun"), [(1.5, 0), (2.5, 1)])
def test_where_others_take_the_processor_it_rests_as_long(worked, begun, monkeypatch):
    """Reading may cost a twentieth of the work that is done, however much time passes over it."""
    clock = SimpleNamespace(
        perf_counter=lambda: 0.0, thread_time=lambda: 0.0, process_time=lambda: 0.0
    )
    monkeypatch.setattr(recording, "time", clock)
    monkeypatch.setattr(recording.Recording, "_start", starts := Mock())
    watching = recording.Recording(sys._getframe())
    watching._idle_reading = recording._READING + 0.1
    clock.perf_counter, clock.thread_time = lambda: 1000.0, lambda: worked
    watching._cut()
    assert starts.call_count == begun


def test_what_calls_nothing_of_torchs_is_not_gone_through(monkeypatch):
    """So a program that begins with much Python is watched beyond that."""
    from stridekit.own_code.copies import Reader

    # A busy machine would have it cut, and what is open there is gone through once more.
    monkeypatch.setattr(recording, "SLICE", 0.1)
    gone_through, inside = [], Reader._inside
    monkeypatch.setattr(Reader, "_inside", lambda *more: gone_through.append(1) or inside(*more))

    def python(n):
        return n and max(map(python, [n - 1] * 2))

    with sk.watch() as seen:
        python(8)
        torch.zeros(3, 4).t().contiguous()
    assert [row.call for row in seen.copies] == ["contiguous"]
    assert len(gone_through) < 50


def test_it_cuts_nowhere_inside_of_an_operation(monkeypatch):
    """On the way back, in hooks, in one's own functions; what comes out is the same."""
    monkeypatch.setattr(recording, "SLICE", 0.0)
    monkeypatch.setattr(recording, "_AGAIN", 0.0001)

    class Slow(torch.autograd.Function):
        @staticmethod
        def forward(_, x):
            return x.clone() + sum(range(20_000)) * 0

        @staticmethod
        def backward(_, grad):
            return grad.clone() + sum(range(20_000)) * 0

    def hooked(grad):
        return grad * (1 + 0 * sum(range(20_000)))

    outcomes = []
    for watched in (False, True):
        x = torch.ones(3, 4, requires_grad=True)
        context = sk.watch() if watched else torch.enable_grad()
        with context:
            for _ in range(30):
                y = Slow.apply(x * 2)
                y.register_hook(hooked)
                y.sum().backward()
        outcomes.append(x.grad)
    assert torch.equal(*outcomes)
    assert not torch.autograd._profiler_enabled()


def test_lines_stay_where_they_are_however_often_it_cuts(monkeypatch):
    """A slice that began with a function would see it begin twice, and return once."""
    monkeypatch.setattr(recording, "SLICE", 0.001)

    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    def outer(x):
        fib(19)
        return x

    def copying(x):
        outer(x)
        return x.t().contiguous()

    x = torch.ones(3, 4)
    with sk.watch() as seen:
        for _ in range(12):
            copying(x)
    (row,) = seen.copies
    assert row.times == 12
    assert row.place.code == "return x.t().contiguous()"
    assert row.place.function == "copying"
    assert not any("Another thread" in note for note in seen.notes)


def started(program, *path):
    """A program in a process of its own, in which torch is imported, and nothing was watched."""
    with TemporaryDirectory() as folder:
        Path(folder, "program.py").write_text(program)
        command = warm.python(("torch",), "-m", "program", *path)
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)


def run(program, *path):
    """What it prints. Kineto would write on stderr: nothing does."""
    done = started(program, *path)
    assert done.stderr == ""
    return done.stdout


DEEP = """
import sys, time, torch, stridekit as sk
from stridekit.own_code import recording
recording._READING = 1 << 40  # it never rests
x = torch.zeros(3, 4)
def down(n):
    if n: return down(n - 1)
    until = time.perf_counter() + 0.05
    while time.perf_counter() < until: x.t().contiguous()
def outer(n):
    down(n)
    x.clone()
    (watching,) = recording.under_way
    cut = watching._since
    while watching._since == cut: int()
for n in (200, sys.getrecursionlimit() - 16):
    with sk.watch() as seen:
        for _ in range(2): outer(n)
        x.clone()
    assert not any("profiler" in note for note in seen.notes)
    print(sorted({(row.call, row.place.line) for row in seen.copies} - {("clone", 12)}))
"""


LEFT_ELSEWHERE = """
import faulthandler, threading, torch, stridekit as sk
faulthandler.dump_traceback_later(300, exit=True)
x = torch.zeros(3, 4)
def steps():
    with sk.watch() as seen:
        while True:
            yield seen
with sk.watch():
    for _ in range(30):
        inner = steps()
        seen = next(inner)
        leaving = threading.Thread(target=inner.close)
        leaving.start()
        leaving.join()
        while not seen.seconds:
            x.t().contiguous()
print("all closed")
"""


# All may stand still before a pending call is over: others take the processor, or one debugs.
STANDING_STILL = """
import faulthandler, sys, time, torch, stridekit as sk
from stridekit.own_code import recording
faulthandler.dump_traceback_later(300, exit=True)
x = torch.zeros(3, 4)
def work():
    return x.t().contiguous()
def trace(frame, event, _):
    if event == "return" and frame.f_code.co_filename == recording.__file__:
        time.sleep(0.03)
    return trace
sys.settrace(trace)
with sk.watch() as seen:
    until = time.perf_counter() + 0.3
    while time.perf_counter() < until: work()
print("all closed")
"""


@pytest.mark.parametrize("program", [LEFT_ELSEWHERE, STANDING_STILL])
def test_while_one_pending_call_is_made_no_other_waits(program):
    """Python 3.11 would go round and round."""
    assert run(program) == "all closed\n"


STILL_OPEN = """
import atexit, torch, stridekit as sk
def copying():
    return torch.zeros(64, 64).t().contiguous()
def steps():
    with sk.watch():
        while True:
            yield copying()
class Last:
    def __del__(self):
        self.watch.__exit__(None, None, None)
        print("closed again")
steps = steps()
next(steps)
last = Last()
last.watch = sk.watch()
seen = last.watch.__enter__()
copying()
atexit.register(lambda: print("still open"))
"""


def test_a_watch_that_is_open_when_python_ends_does_not_hold_it():
    """Python lets no other thread run by then, and torch's profiler does not end."""
    # A process of its own, which ends as all do.
    done = subprocess.run(
        [sys.executable, "-c", STILL_OPEN], capture_output=True, text=True, timeout=120
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.split("\n") == ["still open", "closed again", ""]


def test_in_a_deep_recursion_lines_stay_and_nothing_is_raised():
    """torch would not know who called it there, and says so on stderr; Python has no more room."""
    assert run(DEEP) == "[('clone', 19), ('contiguous', 9)]\n" * 2


def test_memory_stays_small_whatever_the_program_does():
    """Calls in a loop, a recursion that is never between two of them, operations: 0.5 GB each."""
    out = run(
        "import os, torch, stridekit as sk\n"
        "def peak():\n"
        "    told = open('/proc/self/status').read()\n"
        "    return int(told.split('VmHWM:')[1].split()[0])\n"
        "def called(n): return n\n"
        "def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\n"
        "x = torch.zeros(3, 4)\n"
        "environment = dict(os.environ)\n"
        "with sk.watch(): x.clone()\n"
        "assert dict(os.environ) == environment\n"
        "before = peak()\n"
        "with sk.watch():\n"
        "    for n in range(400_000): called(n)\n"
        "with sk.watch() as seen: fib(26)\n"
        "with sk.watch() as told:\n"
        "    for n in range(40_000): x.t().contiguous()\n"
        "print(peak() - before, len(told.copies), 'were watched' in str(seen.notes))"
    )
    grown, rows, has_gap = out.split()
    assert int(grown) < 350_000
    assert (rows, has_gap) == ("1", "True")


def test_where_everything_is_installed_the_users_line_is_named(tmp_path):
    """A package in site-packages opens the watch: its lines are the user's."""
    package = tmp_path / "site-packages" / "mine"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "parts.py").write_text(
        "import torch\n\n\ndef part(x):\n    return torch.nn.functional.pad(x, (1, 1))\n"
    )
    (package / "run.py").write_text(
        "import torch\nimport stridekit as sk\nfrom mine.parts import part\n\n\n"
        "def main():\n"
        "    part_compiled = torch.compile(part, backend='eager')\n"
        "    part_compiled(torch.zeros(3, 4))\n"
        "    with sk.watch() as seen:\n"
        "        part(torch.zeros(3, 4))\n"
        "        part_compiled(torch.zeros(3, 4))\n"
        "        torch.nn.Linear(4, 4)(torch.zeros(3, 4)).double()\n"
        "    for row in seen: print(row.place.where)\n"
    )
    out = run(
        "import sys; sys.path.insert(0, sys.argv[1]); from mine.run import main; main()",
        str(tmp_path / "site-packages"),
    )
    lines = sorted(out.splitlines())
    assert lines[-2:] == ["parts.py, line 5, in part", "run.py, line 12, in main"]
    assert all(line.startswith(("parts.py", "run.py")) for line in lines)


def test_what_is_in_no_file_is_the_users_where_it_opens_the_watch():
    """As under `python -c`: lines are those of the text, and not that of the `with`."""
    program = (
        "import torch, stridekit as sk\n"
        "def f(x):\n"
        "    return x.t().contiguous()\n"
        "with sk.watch() as seen:\n"
        "    f(torch.zeros(3, 4))\n"
        "    torch.zeros(3).flip(0)\n"
    )
    names = {}
    exec(compile(program, "<string>", "exec"), names)
    places = {row.call: row.place[:3] for row in names["seen"]}
    assert places == {"contiguous": ("<string>", 3, "f"), "flip": ("<string>", 6, "<module>")}


def test_a_small_view_that_keeps_a_large_storage_alive():
    """Found while it lives, gone when it is copied; a tensor that is held is not a leak."""
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


@pytest.mark.parametrize(
    "part",
    [
        lambda x: x.diagonal(),
        lambda x: x.unbind()[3],
        lambda x: x.chunk(50, 1)[1],
        lambda x: x.split([10, 90], 1)[0],
        lambda x: x.unfold(0, 2, 100),
        lambda x: x[0, :3],
        lambda x: x[1][3:9][2],
    ],
)
def test_a_part_is_found_with_its_line(part):
    """However it was taken, and of what was a part already."""
    with sk.watch() as seen:
        part = part(torch.zeros(1000, 100))
    (kept,) = seen.kept_alive
    assert kept.shown == part.numel() * 4
    assert [each.function for each in kept.places] == ["<lambda>"]


def test_a_view_that_reaches_far_and_shows_little():
    """The last step of each sequence: its elements count, and not those between them."""
    with sk.watch() as seen:
        last = torch.zeros(8, 100, 16)[:, -1]
        every_other = torch.zeros(100, 100)[::2]
    (kept,) = seen.kept_alive
    assert (kept.nbytes, kept.shown, kept.alone) == (8 * 100 * 16 * 4, last.nbytes, True)
    assert len(every_other) == 50


def test_what_shows_the_same_shows_it_once():
    """As what is detached of a view does."""
    with sk.watch() as seen:
        third = torch.zeros(99, 99)[::3]
        same = third.detach()
    (kept,) = seen.kept_alive
    assert (kept.shown, len(kept.tensors)) == (same.nbytes, 2)


@pytest.mark.parametrize("generation", [0, 1, 2])
def test_views_are_found_whether_python_thinks_them_old_or_not(generation):
    """Python keeps apart what it made lately; in the block it may look for garbage anywhere."""
    small = torch.zeros(20_000)[:20]
    with sk.watch() as seen:
        big = torch.zeros(10_000)
        part = big[:10]
        gc.collect(generation)
    del big
    assert [(kept.nbytes, kept.shown) for kept in seen.kept_alive] == [(40_000, 40)]
    assert (len(small), len(part)) == (20, 10)


# Windows has no such timer, and there interrupts come from a thread.
CLOCKS = ["thread", *(["timer"] if hasattr(signal, "setitimer") else [])]


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("seconds", [0.03, 0.06, 0.1, 0.15])
def test_what_a_signal_raises_while_a_slice_ends_loses_nothing(clock, seconds):
    """A limit of time, or Ctrl-C, comes where most of the time goes: what was seen is told."""
    number = signal.SIGINT if clock == "thread" else signal.SIGALRM
    begin = partial(signal.setitimer, getattr(signal, "ITIMER_REAL", None), seconds)
    if clock == "thread":
        begin = threading.Timer(seconds, _thread.interrupt_main).start

    def late(*_):
        raise TimeoutError

    def turn_until_late():
        x, begins = torch.zeros(20, 20), [begin]
        while True:
            x = x.t().contiguous()
            # Once there is something to tell.
            while begins:
                begins.pop()()

    before = signal.signal(number, late)
    try:
        with pytest.raises(TimeoutError), sk.watch() as seen:
            turn_until_late()
    finally:
        if clock == "timer":
            signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(number, before)
    (row,) = seen.copies
    assert row.bytes == row.times * 1600
    assert ("Another" in str(seen)) == (clock == "thread")
    assert sys.getprofile() is None
    assert not torch.autograd._profiler_enabled()


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
        weight = torch.zeros(10_000, requires_grad=True)
        doubled = weight * 2
        loss = (doubled**2).sum()
        few = doubled[:2]
        del doubled
    (kept,) = seen.kept_alive
    assert not kept.alone
    assert "autograd" in str(seen)
    assert loss.requires_grad
    assert len(few) == 2


def test_what_a_layer_shows_of_its_own_is_kept_by_nobody_else(monkeypatch):
    """A GRU gives a view of a tensor that is not an object of Python's; equal lines are one."""
    # On a busy machine it takes so long that not all of it would be recorded.
    monkeypatch.setattr(recording, "SLICE", 0.1)
    gru = nn.GRU(16, 16, batch_first=True)
    with sk.watch() as seen, torch.no_grad():
        last = [gru(torch.randn(4, 200, 16))[0][:, -1] for _ in range(3)]
    assert [kept.alone for kept in seen.kept_alive] == [True] * 3
    # Python 3.12 calls the place by another name, and the line breaks elsewhere.
    said = " ".join(str(seen).split())
    assert said.count("1 tensor shows") == 1
    assert said.endswith("clone() would let the rest go. ×3")
    assert len(last) == 3


def test_what_others_have_lent_they_may_hold():
    """An array has a name of its own, and a copy of a part does not let it go."""
    lent = [np.zeros(10_000), bytearray(80_000)]
    with sk.watch() as seen:
        parts = [torch.from_numpy(lent[0])[:10], torch.frombuffer(lent[1], dtype=torch.uint8)[:10]]
    assert [kept.alone for kept in seen.kept_alive] == [False, False]
    assert str(seen).endswith("such as autograd or NumPy.")
    assert len(parts) == len(lent)


def test_many_that_are_kept_are_counted():
    """Thirty of different sizes: 25 are shown."""
    with sk.watch() as seen:
        parts = [torch.zeros(10_000)[:n] for n in range(1, 31)]
    assert len(seen.kept_alive) == len(parts)
    assert str(seen).endswith("\n  and 5 more")
    assert "<li>and 5 more</li>" in seen._repr_html_()


def test_nothing_is_kept_alive_by_watching():
    """Headers are kept, and no tensors."""
    with sk.watch() as seen:
        x = torch.zeros(1000)
        y = x[:5].clone()
    from torch.multiprocessing.reductions import StorageWeakRef

    ref = StorageWeakRef(x.untyped_storage())
    del x
    assert ref.expired()
    assert len(seen.copies) == 1
    assert y.numel() == 5


@pytest.mark.usefixtures("_in_one_slice")
@pytest.mark.filterwarnings("ignore:`torch.jit.script` is")
def test_what_torch_func_wraps_goes_at_once():
    """A record of a call with it, kept for the way back, would hold what is in the wrapper."""
    x = torch.zeros(1000)
    # The first time, torch looks for a rule, and in Python 3.13 a frame of that holds what it made.
    torch.func.jvp(torch.cos, (x,), (torch.ones(1000),))
    with sk.watch():
        _, y = torch.func.jvp(torch.cos, (x,), (torch.ones(1000),))
    kept = weakref.ref(y)
    del y
    assert kept() is None


def test_what_a_function_held_goes_when_it_returns():
    """Its frame is held by nobody: else its tensors would end in a thread of ours, and later."""

    def program():
        x = torch.zeros(1000)
        with sk.watch():
            x.clone()
        return weakref.ref(x)

    assert program()() is None


def test_what_cannot_be_seen_is_counted():
    """Sparse tensors have no strides."""
    sparse = torch.eye(3).to_sparse()
    with sk.watch() as seen:
        sparse.clone()
        sparse.copy_(sparse.clone())
        torch.zeros(3, 4).clone()
    assert seen.bytes_copied >= 48
    assert seen.notes == ["Not told: 1 copy of tensors without strides, such as sparse ones."]
    assert str(seen)


def test_data_and_html():
    """Plain data for json; a table with headings, text that is escaped, pictures that open."""
    x = torch.zeros(3, 4)
    with sk.watch() as seen:
        x.t().reshape(12 if "<b>" else 0)
    (row,) = json.loads(json.dumps(seen.to_dicts()))
    assert row["bytes"] == 48
    assert row["sources"][0]["stride"] == [1, 4]
    assert row["code"].startswith("x.t().reshape")
    page = seen._repr_html_()
    assert '<th scope="col"' in page
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert page.count("<details><summary>Picture") == 1
    assert re.search('alt="[^"]*reshape', page)


def test_what_was_seen_can_be_kept():
    """Pickled, or copied."""
    with sk.watch() as seen:
        x = torch.zeros(3, 4).t().reshape(-1).clone()
        nn.functional.silu(x.requires_grad_() * 1, inplace=True)
    for kept in (pickle.loads(pickle.dumps(seen)), copy.deepcopy(seen)):
        assert str(kept) == str(seen)
        assert kept.to_dicts() == seen.to_dicts()


def test_the_rest_is_counted():
    """Thirty rows: 25 are shown."""
    x = torch.zeros(2, 3)
    names = {f"f{n}": f"def f{n}(x): return x.t().contiguous()" for n in range(30)}
    space = {}
    exec(compile("\n".join(names.values()), "<cell of many>", "exec"), space)
    with sk.watch() as seen:
        for name in names:
            space[name](x)
    assert len(seen) == 30
    assert re.search("and 5 rows more, which took .*: see seen.copies", str(seen))


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


class Mode(TorchDispatchMode):
    """A mode of somebody's own, as FlopCounterMode is one: operations go through Python."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        """The same."""
        return func(*args, **(kwargs or {}))


def test_under_a_mode_of_the_users():
    """What is copied is told all the same, once."""
    x = torch.arange(12.0).view(3, 4)
    with Mode():
        x.clone()
    with sk.watch() as seen, Mode():
        x.t().contiguous()
        x.t().reshape(-1)
        x.double()
        torch.cat([x, x])
    told = [(row.call, row.times, row.bytes) for row in seen.copies]
    assert sorted(told) == [
        ("cat", 1, 96),
        ("contiguous", 1, 48),
        ("reshape", 1, 48),
        ("to", 1, 96),
    ]


def run_fake():
    from torch._subclasses.fake_tensor import FakeTensorMode

    return FakeTensorMode().from_tensor(torch.zeros(3, 4)).t().contiguous()


HARD = {
    "hostile": lambda: torch.zeros(3, 4).as_subclass(Hostile).t().contiguous(),
    "wrapper": lambda: Wrapper(torch.zeros(3, 4).t()).contiguous(),
    "jagged": lambda: torch.nested.nested_tensor([torch.zeros(2)] * 2, layout=torch.jagged) * 2,
    "fake": run_fake,
    "cond": lambda: torch.cond(
        torch.tensor(True), lambda x: x + 1, lambda x: x - 1, (torch.zeros(3),)
    ),
    "vmap": lambda: torch.vmap(lambda x: x.t().reshape(-1))(torch.zeros(2, 3, 4)),
    "grad": lambda: torch.func.grad(lambda x: (x.t().reshape(-1) ** 2).sum())(torch.zeros(3, 4)),
    "put": lambda: torch.zeros(4).put_(torch.tensor([1, 2]), torch.ones(2)),
    "out": lambda: torch.cat([torch.ones(3)] * 2, out=torch.empty(6)),
    "meta": lambda: torch.empty(3, 4, device="meta").t().contiguous(),
    "rank 0": lambda: torch.tensor(1.0).clone().expand(3).contiguous(),
    "no elements": lambda: torch.cat([torch.zeros(0, 4), torch.zeros(0)[:, None].expand(0, 4)]),
    "complex": lambda: torch.zeros(3, 4, dtype=torch.complex64).conj().t().resolve_conj(),
}


@pytest.mark.parametrize("name", HARD)
def test_whatever_comes_is_read(name):
    """Subclasses that refuse or are made of others, symbols for sizes, functions of functions."""
    with sk.watch() as seen:
        HARD[name]()
    assert str(seen)
    assert not any("fault" in note for note in seen.notes)
    assert all(row.diagram().alt for row in seen.copies)


def test_a_fork_is_not_recorded():
    """Workers of a DataLoader go on as they do, and nothing is recorded there."""
    data = torch.utils.data.DataLoader(torch.arange(12.0).view(6, 2), batch_size=2, num_workers=1)
    with sk.watch() as seen:
        batches = list(data)
    assert torch.equal(torch.cat(batches), torch.arange(12.0).view(6, 2))
    assert str(seen)


def test_what_long_work_calls_is_watched(monkeypatch):
    """Inside of it no slice can end, and where a function begins one comes in late: but once."""
    monkeypatch.setattr(recording, "time", clock := Clock())
    monkeypatch.setattr(recording, "_LATE", 0.5)

    class Copying(torch.autograd.Function):
        @staticmethod
        def forward(_, x):
            return x.view_as(x)

        @staticmethod
        def backward(_, gradient):
            for _ in range(3):
                clock.moves_on(1.0)
                gradient = gradient.clone()
            return gradient

    x = torch.ones(3, 4, requires_grad=True)
    with sk.watch() as seen:
        Copying.apply(x).sum().backward()
    (row,) = [row for row in seen.copies if row.call == "clone"]
    assert (row.bytes, row.times) == (48, 1)
    assert "were watched" in str(seen)


def between():
    """Some time in Python."""
    return sum(range(20_000)) * 0


class Block(nn.Module):
    """Copies on the way forward, and so again where a checkpoint recomputes it."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        """The reshape crosses a seam."""
        return self.layer(x.t().reshape(64).view(8, 8)) + between()


def test_what_torch_goes_on_with_when_it_is_muted_is_not_told(monkeypatch):
    """On the way back it does, without Python's calls. All of it is the main thread's."""
    monkeypatch.setattr(recording, "SLICE", 0.001)
    monkeypatch.setattr(recording, "_LATE", 0.002)
    monkeypatch.setattr(recording, "_AGAIN", 0.001)
    blocks = nn.ModuleList(Block() for _ in range(12))
    with sk.watch() as seen:
        for _ in range(4):
            x = torch.ones(8, 8)
            for block in blocks:
                x = checkpoint(block, x, use_reentrant=False)
            x.sum().backward()
    (row,) = [row for row in seen.copies if row.call == "reshape"]
    assert row.place.code == "return self.layer(x.t().reshape(64).view(8, 8)) + between()"
    assert {row.place.file for row in seen.copies} == {__file__}
    assert not any("Another" in note for note in seen.notes)


def test_what_looks_whether_an_operation_is_under_way_records_little():
    """It runs inside of the block, where each call that is recorded costs more than it does."""
    recorded = []

    def deep(n):
        return deep(n - 1) if n else torch_profiler.between_operations(sys._getframe(), None)

    assert deep(20)
    torch_profiler.start()
    deep(20)
    torch_profiler.stop(recorded)
    waiting, names = recorded[0].experimental_event_tree(), []
    while waiting:
        event = waiting.pop()
        names.append(event.name)
        waiting += event.children
    assert any(name.endswith(": between_operations") for name in names)
    assert not [name for name in names if "startswith" in name]


def test_nobody_asks_to_be_let_in_before_it_has_begun_or_while_it_ends(monkeypatch):
    """That would be recorded for nothing."""
    visits, visit = [], recording.Recording.visit
    monkeypatch.setattr(recording, "SLICE", 60.0)
    monkeypatch.setattr(recording.Recording, "visit", lambda *a: (visits.append(a), visit(*a)))
    for _ in range(20):
        with sk.watch():
            torch.zeros(3).clone()
        time.sleep(0.002)
    assert not visits


def test_while_an_operation_goes_on_one_looks_less_often_whether_it_is_over(monkeypatch):
    """Each look takes the processor from it."""
    looks, is_over = [], _thread.allocate_lock()
    is_over.acquire()

    class Lock:
        """Hears how long somebody waits for it each time; the operation is over after a while."""

        def __init__(self, lock):
            self.release, self._acquire = lock.release, lock.acquire

        def acquire(self, timeout):
            looks.append(timeout)
            if len(looks) == 25:
                is_over.release()
            return self._acquire(timeout=timeout)

    monkeypatch.setattr(recording, "SLICE", 0.04)
    with sk.watch():
        watching = recording.under_way[0]
        watching._wanted = Lock(watching._wanted)
        # In C, where nobody comes in.
        is_over.acquire()
    # Those before came until somebody had asked, and those after when it was over.
    assert looks[10:25] == [0.02] * 15


@pytest.mark.usefixtures("_in_one_slice")
def test_the_line_of_a_call_is_known_without_what_is_beside_it(monkeypatch):
    """What operators did is looked for between calls; a call says itself where it was made."""
    looked_for, lines_of = [], copies.lines_of
    monkeypatch.setattr(copies, "lines_of", lambda *a: looked_for.append(a) or lines_of(*a))
    x = torch.zeros(3, 4)
    with sk.watch() as seen:
        y = x.t().contiguous()
    assert [row.place.code for row in seen.copies] == ["y = x.t().contiguous()"]
    assert not looked_for
    with sk.watch() as seen:
        y[[0, 1]]
    assert [row.place.code for row in seen.copies] == ["y[[0, 1]]"]
    assert looked_for


def test_the_flat_list_of_a_recording_is_in_the_order_in_which_its_events_began():
    """So what belongs to an event of the tree is found there without a look at all of them."""
    recorded, x = [], torch.zeros(840)
    torch_profiler.start()
    for n in range(1, 9):
        x.view(n, 840 // n)
    torch_profiler.stop(recorded)
    begun = [each.start_ns() for each in recorded[0].events()]
    assert begun == sorted(begun)
    moves, waiting, told = Moves(recorded[0]), recorded[0].experimental_event_tree(), []
    while waiting:
        event = waiting.pop()
        waiting += event.children
        if event.name == "aten::view":
            told.append(moves.numbers(event)[1])
    assert sorted(told) == [[n, 840 // n] for n in range(1, 9)]


def test_a_slice_may_end_inside_of_a_checkpoint_but_in_no_hook_of_it():
    """Where it goes forward, nothing is under way; what one's own hooks are called from may be."""
    outermost, answers = sys._getframe(), {}

    def ask(name, x):
        answers[name] = torch_profiler.between_operations(sys._getframe(), outermost)
        return x

    def pack(x):
        return ask("pack", x)

    x = torch.ones(3, requires_grad=True)
    y = checkpoint(lambda x: ask("checkpoint", x).sin().sin(), x, use_reentrant=False)
    assert answers == {"checkpoint": True}
    y.sum().backward()
    assert answers == {"checkpoint": False}
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda x: x):
        ask("hooked", x.sin())
    with torch.autograd.graph.save_on_cpu():
        ask("on the CPU", x.sin())
    assert answers == {"checkpoint": False, "pack": False, "hooked": False, "on the CPU": True}


def test_in_a_fork_of_another_thread_that_is_the_main_one():
    """Recordings name threads by their numbers, and this one has another."""
    out = run(
        "import os, threading, warnings, torch, stridekit as sk\n"
        # From Python 3.12 on: that there are threads.
        "warnings.simplefilter('ignore')\n"
        "x = torch.zeros(3, 4)\n"
        "with sk.watch(): x.clone()\n"
        "def work():\n"
        "    x.clone()\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        "        with sk.watch() as seen: x.clone()\n"
        "        print(seen.bytes_copied, seen.notes, seen.copies[0].place.line, flush=True)\n"
        "        os._exit(0)\n"
        "    os.waitpid(child, 0)\n"
        "thread = threading.Thread(target=work)\n"
        "thread.start()\n"
        "thread.join()\n"
    )
    assert out == "48 [] 9\n"


def test_in_a_fork_nothing_can_be_watched_any_more():
    """The block goes on in both processes, and is told in the first."""
    with sk.watch() as seen:
        torch.zeros(3, 4).clone()
        child = os.fork()
        torch.zeros(3, 4).clone()
    if child == 0:
        with pytest.raises(WatchError, match="forked inside of another watch"):
            sk.watch().__enter__()
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert seen.bytes_copied == 96
