"""Names of dims, letters of storages, outlines of parts: who is who in a picture."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import stridekit as sk
from stridekit import draw, draw_change, draw_view
from stridekit.diagrams.pages.colours import LANES, SELECTED
from stridekit.errors import ArgumentError, IndexRangeError
from tests.stridekit.strategies import layouts


def names(diagram, grid=0, section=0):
    """The names of a grid's dims."""
    return [label.name for label in diagram.scene.sections[section].grids[grid].dims]


@pytest.mark.parametrize(
    "dims", ["NCHW", ["N", "C", "H", "W"], ("N", "C", "H", "W"), "N C H W", " NCHW "]
)
def test_names_are_letters_words_or_a_sequence(dims):
    """In brackets, in the text form, in alt, in notes."""
    diagram = draw(torch.zeros(1, 3, 2, 2), dims=dims, select=(0, 1, 0, 1))
    assert names(diagram) == ["N", "C", "H", "W"]
    assert "dim 1 C · size 3 · stride 4" in diagram.text()
    assert "dims N, C, H, W" in diagram.alt
    assert diagram.scene.notes[0].startswith("[N 0, C 1, H 0, W 1] lies at position 5")
    assert ">C<" in diagram.svg() or "dim 1 C" in diagram.svg()


def test_a_dim_may_have_no_name():
    """And a tensor has a name of its own, or none."""
    x, some = torch.zeros(2, 3), ["N", None]
    assert names(draw(x)) == ["", ""]
    assert names(draw(x, dims=[None, "C"])) == ["", "C"]
    assert (
        names(draw_view({"x": x}, 6, dims=some)) == names(draw_view(x, 6, dims=some)) == ["N", ""]
    )


def test_names_follow_their_dims():
    """Through permute and slices on one memory; by place in a tensor of the same size."""
    x = torch.zeros(2, 3, 4)
    views = [x.permute(2, 0, 1), x[:, 1], x[1:, :, :2], x.view(6, 4), x.view(2, 3, 2, 2), x.clone()]
    diagram = draw(x, *views, dims="abc")
    assert names(diagram, 1) == ["c", "a", "b"]
    assert names(diagram, 2) == ["a", "c"]
    assert names(diagram, 3) == ["a", "b", "c"]
    assert names(diagram, 5) == ["a", "b", "", ""]
    assert names(diagram, section=1) == ["a", "b", "c"]
    square = torch.zeros(3, 3)
    assert names(draw(square, square.t(), dims="HW"), 1) == ["W", "H"]
    assert names(draw_change(x, lambda t: t.clone(), dims="abc"), section=1) == ["a", "b", "c"]
    assert names(draw_change(x, lambda t: t.permute(1, 0, 2), dims="abc"), 1) == ["b", "a", "c"]


@given(layouts, st.data())
def test_a_permuted_view_has_the_permuted_names(layout, data):
    """Where every dim can be told from the others by size and stride."""
    if len(set(zip(layout.size, layout.stride, strict=True))) < layout.ndim or not layout.ndim:
        return
    memory = torch.zeros(200)
    if layout.reach is None or layout.reach[1] >= 200:
        return
    x = memory.as_strided(layout.size, layout.stride, layout.storage_offset)
    order = data.draw(st.permutations(range(layout.ndim)))
    called = [f"d{dim}" for dim in range(layout.ndim)]
    diagram = draw(x, x.permute(order), dims=called)
    assert names(diagram, 1) == [called[dim] for dim in order]


def test_each_tensor_may_have_names_of_its_own():
    """In a dict, by the tensors' names."""
    x, y = torch.zeros(2, 3), torch.zeros(3, 2)
    diagram = draw({"x": x, "y": y}, dims={"x": "HW", "y": "WH"})
    assert (names(diagram), names(diagram, section=1)) == (["H", "W"], ["W", "H"])
    with pytest.raises(ArgumentError, match=r"no tensor here is called so\. Call one so"):
        draw({"x": x}, dims={"z": "HW"})
    with pytest.raises(ArgumentError, match="or give dims without a dict"):
        draw(x, dims={"z": "HW"})


def test_numpy_s_dims_are_axes_with_names():
    """And byte strides."""
    assert "axis 1 W · size 3 · byte_stride 8" in draw(np.zeros((2, 3)), dims="HW").text()


@pytest.mark.parametrize(
    ("dims", "words"),
    [
        ("NC", "dims='NC' does not give each dim a name of its own: the tensor has 3 dims, size"),
        ("NCHW", "size (2, 3, 4). Give a text"),
        ("", "dims='' does not give each dim"),
        ("NNC", "a name of its own"),
        (3, "dims=3 does not give"),
        (["N", 1, "C"], "dims=['N', 1, 'C'] does not give"),
    ],
)
def test_what_names_no_dims(dims, words):
    """Too few, too many, one twice, no names at all."""
    with pytest.raises(ArgumentError) as refusal:
        draw(torch.zeros(2, 3, 4), dims=dims)
    assert str(refusal.value).startswith("draw: ")
    assert words in str(refusal.value)


def test_an_impossible_view_calls_dims_by_their_names():
    """What matters comes first."""
    scene = draw_view(torch.zeros(3, 4).t(), 12, dims="WH").scene
    assert scene.notes[0] == "view(12) is impossible. reshape(12) copies instead."
    assert "Dim 1 (H) has 3 elements" in scene.notes[2]
    assert "a step in dim 0 (W)" in scene.notes[2]
    assert scene.alt.startswith(scene.notes[0])


def test_an_index_that_leaves_a_named_tensor():
    """Is refused as before."""
    with pytest.raises(IndexRangeError, match="3 is outside dim 0"):
        draw(torch.zeros(2, 3), dims="HW", select=(3, 0))


def test_a_blank_name_is_a_letter():
    """Of several; one alone has none."""
    x = torch.zeros(2)
    assert "Tensor b, size" in draw({"": x, " \n": x}).alt
    assert draw({"": x}).alt == draw(x).alt


# Storages


def test_several_storages_have_letters():
    """On strips and grids, in the text form and in alt; a single one has none."""
    x, y = torch.arange(4), torch.arange(3)
    diagram = draw({"x": x, "y": y, "tail": x[2:]})
    assert [section.storage for section in diagram.scene.sections] == ["A", "B"]
    assert "storage A · 4 elements" in diagram.text()
    assert "storage B · 3 elements" in diagram.text()
    assert "over storage B, which has 3 elements" in diagram.alt
    written = [text for runs in diagram._page.texts.values() for _, _, text, _ in runs]
    # Two on grids of A and one of B, and one on each strip.
    assert (written.count("A"), written.count("B")) == (3, 2)
    alone = draw(x, x[2:])
    assert [section.storage for section in alone.scene.sections] == [""]
    assert "over a storage of 4 elements" in alone.alt


def test_a_copy_stands_on_another_storage():
    """A write, a resize_ and a new header do not."""
    x = sk.arange(6).view(2, 3)
    changes = {
        "AB": lambda t: t.clone(),
        "": lambda t: t.add_(1),
        " ": lambda t: t.t(),
        "  ": lambda t: t.resize_(8),
    }
    for letters, change in changes.items():
        sections = draw_change(x, change).scene.sections
        assert "".join(section.storage for section in sections) == letters.strip()


def test_storages_stand_on_grounds_of_their_own():
    """Told apart by a frame and a tint, below all that stands on them."""
    diagram = draw(torch.arange(4), torch.arange(4))
    grounds = [look for look in diagram._page.boxes if look.stroke == "#A6B1BD"]
    assert len({look.fill for look in grounds}) == 2
    assert [*diagram._page.boxes][:2] == grounds


# Parts


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x[1:3, 1:4],
        lambda x: x[::2, ::2],
        lambda x: x[2],
        lambda x: x[:, 1],
        lambda x: x.t()[1:3],
        lambda x: x.diagonal(),
        lambda x: x.flatten()[3:11],
        lambda x: x[1:2].expand(3, 5),
    ],
)
def test_a_part_is_outlined_in_its_parent(view):
    """Just the cells that it reaches."""
    x = torch.arange(20).view(4, 5)
    part = view(x)
    parent, own = draw({"x": x, "part": part}).scene.sections[0].grids
    (outline,) = parent.outlines
    assert (outline.name, outline.lane) == ("part", 1)
    assert outline.addresses == set(part.flatten().tolist())
    assert own.outlines == ()


def test_what_is_no_part_has_no_outline():
    """The whole in another order, what only overlaps, what lies elsewhere, what is empty."""
    x = torch.arange(20).view(4, 5)
    pairs = [(x, x.t()), (x[:2], x[1:3]), (x[0], x[1]), (x, x.clone()), (x, x[4:]), (x, x[:, :0])]
    for pair in pairs:
        for section in draw(*pair).scene.sections:
            assert all(grid.outlines == () for grid in section.grids)


def test_a_part_of_a_large_tensor_is_outlined_where_it_is_shown():
    """Its cost follows what is shown."""
    x = torch.zeros(1000, 1000)
    parent = draw(x, x[:3, :3]).scene.sections[0].grids[0]
    assert {cell.index for cell in parent.cells if cell.address in parent.outlines[0].addresses} \
        == {(i, j) for i in range(3) for j in range(3)}  # fmt: skip


def test_all_can_be_asked_for():
    """Grids and lines for each; nothing is left to count."""
    x = torch.arange(20)
    diagram = draw([x[n:] for n in range(20)], all=True)
    (section,) = diagram.scene.sections
    assert len(section.grids) == len(section.strips[0].lanes) == 20
    assert (section.more_grids, section.strips[0].more_lanes) == (0, 0)
    assert "more" not in diagram.text()


def test_frames_do_not_pile_up():
    """At most two lie in one cell; the lanes tell of the others."""
    x = torch.arange(24).view(4, 6)
    (section,) = draw([x, x[1:3], x[:, 1:3], x[2:3, 2:3]]).scene.sections
    assert [outline.name for outline in section.grids[0].outlines] == ["b", "c"]
    assert [lane.name for lane in section.strips[0].lanes] == [*"abcd"]


def test_the_frame_of_a_part_does_not_cover_that_of_the_selected_element():
    """It lies inside of it, and both are seen."""
    x = torch.arange(12).view(3, 4)
    for part in (x[1, 2], x[1:, 2:], x[:2, 2:]):
        over = draw({"x": x, "part": part}, select=(1, 2))._page.over
        dashes = LANES[1]
        (left, top, width, height), (frame_left, frame_top, frame_width, frame_height) = (
            over[paint][0] for paint in (dashes, SELECTED)
        )
        near = (
            left - frame_left,
            top - frame_top,
            left + width - frame_left - frame_width,
            top + height - frame_top - frame_height,
        )
        assert all(abs(apart) >= (dashes.weight + SELECTED.weight) / 2 for apart in near)
