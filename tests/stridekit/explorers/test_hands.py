"""Cells that are chosen, dims and edges that are moved, and what a wrong answer is told."""

import re
from dataclasses import replace
from math import prod

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from stridekit.explorers import EXPLORERS
from stridekit.explorers.controller import Controller
from stridekit.explorers.explorer import Chips, PictureCell
from stridekit.explorers.markup import answers
from stridekit.explorers.slicing import in_place, parse
from tests.stridekit.explorers.oracles import agree, run
from tests.stridekit.explorers.test_laws import act, actions

each_explorer = pytest.mark.parametrize("name", EXPLORERS)
CHOOSING = ("index", "sharing", "traversal")


def cells(controller):
    """All cells and slots of the picture, as a page tells them when they are clicked."""
    for number, section in enumerate(controller.shown.diagram.scene.sections):
        for grid in section.grids:
            for cell in grid.cells:
                if getattr(cell, "index", None) is not None:
                    yield PictureCell(number, grid.name, cell.index, cell.address)
        for strip in section.strips:
            for slot in strip.slots:
                if hasattr(slot, "address"):
                    yield PictureCell(number, "", None, slot.address)


def after(name, doings):
    """A controller after some actions, without a problem and with its answer shown."""
    controller = Controller(EXPLORERS[name])
    for action, argument in doings:
        act(controller, action, argument)
    if controller.problem is not None:
        controller.undo()
    return controller


@pytest.mark.parametrize("name", CHOOSING)
def test_the_cell_that_is_chosen_is_the_one_that_is_shown(name):
    """In whatever state: the index is the cell's, and a slot's is one that torch finds there."""
    explorer = EXPLORERS[name]

    @settings(max_examples=40)
    @given(actions(explorer), st.data())
    def holds(doings, data):
        controller = after(name, doings)
        there = [*cells(controller)]
        assume(there)
        cell = data.draw(st.sampled_from(there))
        before = controller.state
        controller.pick(cell)
        assert controller.problem is None
        agree(controller)
        CHOSEN[name](before, controller.state, cell)
        if controller.state != before:
            controller.undo()
            assert controller.state == before

    holds()


def _index(before, state, cell):
    x, _ = run(state.code())
    if cell.index is not None:
        assert state.index == cell.index
    if state != before:
        assert x["x"][state.index].item() == cell.position
        assert state == type(state)(state.size, state.stride, state.storage_offset, state.index)


def _sharing(before, state, cell):
    assert state.deeds == before.deeds
    world = state.world
    if cell.index is not None:
        assert (state.tensor, state.index) == (cell.name, cell.index)
    elif state != before:
        assert world.tensors[state.tensor].layout.position(state.index) == cell.position
        assert state.tensor in world.groups()[cell.section]
    else:
        # Nobody reaches that slot, or it is chosen already.
        near = world.groups()[cell.section]
        reach = [each for each in near if world.tensors[each].layout.reaches(cell.position)]
        assert not reach or state.tensor in reach


def _traversal(before, state, cell):
    assert state == replace(before, visit=state.visit)
    if cell.index is not None:
        assert state.index(state.visit) == cell.index
    if cell.index is not None or state != before:
        assert state.positions()[state.visit] == cell.position


CHOSEN = {"index": _index, "sharing": _sharing, "traversal": _traversal}


@given(
    st.sampled_from(EXPLORERS["pixels"].controls[0].options[:-1]),
    st.integers(0, 95), st.integers(0, 95),
)  # fmt: skip
@settings(max_examples=60)
def test_the_pixel_of_the_face_that_is_chosen_is_the_one_that_is_read(preset, row, column):
    """In the face itself; in what is read none can be chosen."""
    controller = Controller(EXPLORERS["pixels"], {"preset": preset})
    controller.pick(PictureCell(0, "as it is read", (row, column), 0))
    assert controller.state == controller.first
    controller.pick(PictureCell(0, "as it is meant", (row, column), 0))
    assert (controller.problem is None) == (row < 64)
    assert row >= 64 or controller.state.pixel == (row, column)
    agree(controller)


@pytest.mark.parametrize("name", ["strides", "reshape", "permute", "slicing", "broadcast"])
def test_where_no_cell_can_be_chosen_nothing_happens(name):
    """Nobody is told of a mistake."""
    controller = Controller(EXPLORERS[name])
    for cell in cells(controller):
        controller.pick(cell)
    assert controller.problem is None
    assert controller.state == controller.first


@given(st.data())
def test_edges_that_are_moved_are_those_of_torch(data):
    """The key says the same in all other dims, and the new edges in this one."""
    key = data.draw(st.sampled_from(
        (":, ::2", "1:", "..., 1:", "None, 1:", ":", "()", "1", "1:3, None, ::3", "-2:", ":-1")
    ))  # fmt: skip
    controller = Controller(EXPLORERS["slicing"], {"size": (4, 5), "key": key})
    handles = controller.state.handles()
    assume(handles)
    edges = data.draw(st.sampled_from(handles))
    start, stop = data.draw(st.integers(0, 6)), data.draw(st.integers(0, 6))
    x = torch.arange(20).view(4, 5)
    before = eval(f"x[{key}]", {"x": x, "None": None})
    step = _step_in(controller.state.key, edges.dim)
    controller.drag(edges.dim, start, stop)
    assert controller.problem is None
    agree(controller)
    after = eval(f"x[{controller.state.key}]", {"x": x, "None": None})
    moved = next(each for each in controller.state.handles() if each.dim == edges.dim)
    size = (4, 5)[edges.dim]
    assert (moved.start, moved.stop) == (min(start, size), min(max(start, stop), size))
    assert _step_in(controller.state.key, edges.dim) == step
    # Which of the dims it is in the result: the others keep their sizes.
    assert after.dim() == before.dim()
    assert sum(a != b for a, b in zip(after.shape, before.shape, strict=True)) <= 1
    there = {divmod(value, 5)[edges.dim] for value in after.flatten().tolist()}
    assert there in (set(), {*range(moved.start, moved.stop, step)})


def _step_in(key, dim):
    """The step of the slice of a dim."""
    return dict(in_place(2, parse(key)))[dim].step or 1


@pytest.mark.parametrize("name", ["permute", "slicing"])
def test_handles_say_what_the_state_is(name):
    """Chips the order of dims, edges the range that Python's own slice gives."""
    explorer = EXPLORERS[name]

    @settings(max_examples=60)
    @given(actions(explorer))
    def holds(doings):
        controller = after(name, doings)
        names, _ = run(controller.state.code())
        x = names["x"]
        for handle in controller.state.handles():
            if isinstance(handle, Chips):
                assert x.permute(handle.order).stride() == names["y"].stride()
                assert sorted(handle.order) == [*range(x.dim())]
                assert [int(label.split()[-1]) for label in handle.labels] == [*x.shape]
                controller.type_in(handle.field, ", ".join(map(str, handle.order)), begins=True)
                assert controller.problem is None
            else:
                assert handle.length == x.size(handle.dim)
                assert 0 <= handle.start <= handle.stop <= handle.length
                # Put where they are, they change nothing of the elements.
                shape = controller.shown.truth
                controller.drag(handle.dim, handle.start, handle.stop)
                assert controller.shown.truth == shape

    holds()


@each_explorer
def test_why_and_slips_are_true(name):
    """In whatever state; a slip is never the truth that is asked for."""
    explorer = EXPLORERS[name]

    @settings(max_examples=60)
    @given(actions(explorer))
    def holds(doings):
        controller = after(name, doings)
        shown = controller.shown
        assert not shown.why or re.fullmatch(r".+[.]", shown.why, re.DOTALL)
        assert all(told.endswith(".") for told in shown.slips)
        names, _ = run(controller.state.code())
        slips = {told: str(slip) for told, slip in shown.slips.items()}
        wrong = {told: slip for told, slip in slips.items() if not answers(slip, shown.truth)}
        if name in WHY and shown.truth:
            WHY[name](controller.state, shown, names, wrong)

    holds()


def _why_needed(state, shown, _names, wrong):
    if prod(state.size):
        terms, last = re.search(r"position (.*) = (\d+), and", shown.why).groups()
        assert eval(terms.replace("×", "*")) == int(last) == int(shown.truth) - 1
    for told, slip in wrong.items():
        if "how many elements there are" in told:
            assert int(slip) == prod(state.size)
        if "last position" in told:
            assert int(slip) == int(shown.truth) - 1


def _why_permute(_state, shown, names, wrong):
    x, y = names["x"], names["y"]
    for new, old in re.findall(r"dim (\d+) is x's dim (\d+)", shown.why):
        assert (y.size(int(new)), y.stride(int(new))) == (x.size(int(old)), x.stride(int(old)))
    for told, slip in wrong.items():
        assert slip == str(x.stride() if "own stride" in told else y.clone(
            memory_format=torch.contiguous_format).stride())  # fmt: skip


def _why_slicing(state, shown, _names, wrong):
    kept = [int(n) for n in re.findall(r"keeps (\d+) of the \d+ in dim", shown.why)]
    new = shown.why.count("None adds") + shown.why.count("none adds")
    size = eval(shown.truth)
    assert prod(kept) == prod(size)
    assert len(kept) + new == len(size)
    assert all(slip == str(state.size) for slip in wrong.values())


def _why_broadcast(state, shown, _names, _wrong):
    for names, n in re.findall(
        r"([abc](?:, [abc])*(?: and [abc])?) stretch(?:es)? to (\d+)", shown.why
    ):
        assert int(n) in eval(shown.truth)
        for each in re.findall("[abc]", names):
            assert any(own in (1, int(n)) for own in (*state.sizes[each], 1))


def _why_sharing(state, shown, _names, _wrong):
    world = state.world
    position = int(re.search(r"position (\d+) of storage", shown.why)[1])
    for name in shown.truth.split(", "):
        assert world.tensors[name].layout.reaches(position)
    assert position == world.tensors[state.tensor].layout.position(state.index)


def _why_traversal(state, shown, names, wrong):
    first = [int(n) for n in re.findall(r"\d+", shown.why)]
    assert first == names["lines"].tolist()[:8]
    numbers = {
        "how many lines": len(set(names["lines"].tolist())),
        "how many visits": len(names["lines"]),
        "first visit counts": names["switches"] - 1,
    }
    for told, slip in wrong.items():
        assert int(slip) == next(n for words, n in numbers.items() if words in told)


def _why_index(state, shown, names, wrong):
    x = names["x"]
    for told, slip in wrong.items():
        if "offset is missing" in told:
            assert int(slip) == x[state.index].item() - state.storage_offset
        if "reading order" in told:
            assert int(slip) == x.contiguous().flatten().tolist().index(int(shown.truth)) or (
                torch.arange(x.numel()).view(x.shape)[state.index].item() == int(slip)
            )


WHY = {
    "strides": _why_needed, "pixels": _why_needed, "permute": _why_permute,
    "slicing": _why_slicing, "broadcast": _why_broadcast, "sharing": _why_sharing,
    "traversal": _why_traversal, "index": _why_index,
}  # fmt: skip
