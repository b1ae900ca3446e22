"""Tensors on other devices, without memory, and under modes: what is read, and what is not."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch._subclasses import FakeTensorMode

from stridekit import draw, draw_as_strided, draw_change, draw_resize, draw_view
from stridekit.tensors.subjects import subject_of
from tests.stridekit.on_device import OnDevice
from tests.stridekit.strategies import any_layouts, header, twins

# The grid is fetched, once more where texts are too wide for so many columns, and then the strip.
MOST = 3


@pytest.fixture(autouse=True)
def transfers():
    OnDevice.transfers.clear()
    return OnDevice.transfers


@given(any_layouts, st.booleans())
def test_a_picture_from_a_device_is_the_one_from_here(layout, in_bytes):
    """But for its name; and no byte came over twice."""
    _, here = twins(layout)
    OnDevice.transfers.clear()
    theirs = draw(OnDevice(here), bytes=in_bytes).scene
    ours = draw(here, bytes=in_bytes).scene
    assert [g.cells for g in theirs.sections[0].grids] == [g.cells for g in ours.sections[0].grids]
    assert theirs.sections[0].strips == ours.sections[0].strips
    assert "· device cuda:0" in theirs.sections[0].grids[0].header
    assert "on device cuda:0" in theirs.alt
    assert bool(OnDevice.transfers) == bool(here.untyped_storage().nbytes())
    assert sum(x.numel() for x in OnDevice.transfers) <= here.untyped_storage().nbytes()


def test_only_what_is_shown_is_fetched(transfers):
    """Of a hundred million elements some hundreds, in a few transfers."""
    one = torch.arange(10).expand(10**7, 10)
    large = torch.zeros(1).expand(10**4, 10**4)
    draw({"x": OnDevice(one), "y": OnDevice(large), "z": OnDevice(torch.randn(100, 100))})
    assert len(transfers) <= 3 * MOST
    assert {fetched.dtype for fetched in transfers} == {torch.uint8}
    assert sum(fetched.numel() for fetched in transfers) < 5000


@pytest.mark.parametrize("make", [
    lambda x: draw(x, select=(1, 2), bytes=True),
    lambda x: draw(x, traverse=True),
    lambda x: draw_view(x, 4, 3),
    lambda x: draw_view(x, 12),
    lambda x: draw_as_strided(x, (3, 4), (1, 2)),
    lambda x: draw_resize(x, 2, 2),
])  # fmt: skip
def test_each_picture_takes_few_transfers(make, transfers):
    """Whichever of the family, and the picture is the one from here."""
    here = torch.randn(3, 4)
    theirs = make(OnDevice(here)).scene
    assert len(transfers) <= MOST
    assert sum(fetched.numel() for fetched in transfers) <= here.nbytes
    assert theirs.sections[0].strips == make(here).scene.sections[0].strips


def test_memories_of_two_devices_never_meet(transfers):
    """Whatever their addresses."""
    x = torch.arange(4)
    scene = draw({"a": OnDevice(x), "b": OnDevice(x, "cuda:1"), "c": x}).scene
    assert len(transfers) == 2
    assert len(scene.sections) == 3


def test_a_change_on_a_device(transfers):
    """What was before is fetched before, and stays what it was."""
    x = OnDevice(torch.arange(6).view(2, 3))
    scene = draw_change(x, lambda x: x + 1).scene
    assert [cell.text for cell in scene.sections[1].grids[0].cells] == list("123456")
    assert len(transfers) == 2


@given(any_layouts)
def test_a_meta_tensor_shows_positions(layout):
    """Header and positions are those of a tensor with memory; texts are positions."""
    _, here = twins(layout)
    length = here.untyped_storage().nbytes() // 8
    meta = torch.empty(length, dtype=torch.int64, device="meta").as_strided(*header(here))
    (section,) = draw(meta).scene.sections
    cells = section.grids[0].cells
    # The twin's values are its addresses.
    assert [(c.index, c.address, c.text) for c in cells] == [
        (c.index, c.address, str(c.address)) for c in draw(here).scene.sections[0].grids[0].cells
    ]
    subject = subject_of("draw", meta)
    assert subject.layout == layout
    assert not subject.readable


@pytest.mark.parametrize("make", [
    lambda x: draw(x, bytes=True),
    lambda x: draw_change(x, lambda x: x.contiguous()),
    lambda x: draw_change(x, lambda x: x.t()),
    lambda x: draw_change(x, lambda x: x.add_(1)),
    lambda x: draw_view(x, 12),
    lambda x: draw_as_strided(x, (5, 5), (1, 1)),
    lambda x: draw_resize(x, 20),
])  # fmt: skip
@pytest.mark.parametrize("fake", [False, True])
def test_what_has_no_memory_is_refused_by_none(make, fake):
    """And every picture says why there are no values."""
    with FakeTensorMode():
        x = torch.empty(4, 3, device="cuda") if fake else None
    if x is None:
        x = torch.empty(4, 3, device="meta")
    diagram = make(x.t() if not fake else x)
    assert "so there are no values: cells show positions." in diagram.alt
    assert diagram.svg()


def test_views_of_meta_and_fake_tensors_share_their_storage():
    """And two tensors without memory do not."""
    x, y = torch.empty(2, 3, device="meta"), torch.empty(2, 3, device="meta")
    assert [len(s.grids) for s in draw(x, x.t(), y).scene.sections] == [2, 1]
    with FakeTensorMode():
        x, y = torch.empty(2, 3), torch.empty(2, 3)
        assert [len(s.grids) for s in draw(x, y, x[1]).scene.sections] == [2, 1]


def test_modes_have_no_say_in_what_memory_holds():
    """A default device, a mode that fakes tensors, inference mode."""
    x = torch.arange(6).view(2, 3)
    plain = draw(x).scene.sections
    with torch.device("meta"):
        assert draw(x).scene.sections == plain
    with FakeTensorMode():
        assert draw(x).scene.sections == plain
    with torch.inference_mode():
        assert draw(x).scene.sections == plain
    inferred = []
    torch.func.grad(lambda y: (inferred.append(draw(y).scene), y.sum())[1])(x.float())
    (section,) = inferred[0].sections
    assert [cell.text for cell in section.grids[0].cells] == [f"{n}.0" for n in range(6)]


def test_drawing_changes_nothing():
    """No version, no gradient, no flag, no resizability."""
    w = torch.nn.Parameter(torch.arange(6.0).view(2, 3))
    y = w * 2
    versions = w._version, y._version
    diagram = draw({"w": w, "y": y, "y.t()": y.t()})
    assert (w._version, y._version) == versions
    assert w.is_leaf
    assert w.grad is None
    y.sum().backward()
    assert w.grad.tolist() == [[2.0] * 3] * 2
    headers = [g.header for s in diagram.scene.sections for g in s.grids]
    assert "Parameter · requires_grad" in headers[0]
    assert "requires_grad (from MulBackward0)" in headers[1]
