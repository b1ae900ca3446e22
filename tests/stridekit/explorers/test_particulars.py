"""What single explorers do that the general laws seldom reach."""

import contextlib
import copy

import pytest
import torch

from stridekit.explorers import EXPLORERS
from stridekit.explorers.controller import Controller
from stridekit.explorers.header_state import fitting_index
from stridekit.explorers.sharing import MAKES, MOST_DEEDS
from stridekit.explorers.slicing import numpy_layout, parse
from stridekit.layouts.layout import Layout
from tests.stridekit.explorers.oracles import agree, fact, run
from tests.stridekit.explorers.test_laws import check


@pytest.mark.parametrize("size", [(3, 4), (4,), (), (1, 2), (2, 2, 2), (0, 2)])
@pytest.mark.parametrize("first", MAKES)
def test_sharing_every_two_deeds(size, first):
    """Each of them after each other, from x and from what was made: shared and refused as in torch.

    What is refused here is refused there, but for a number out of an array, which is not a tensor.
    """
    begun = Controller(EXPLORERS["sharing"], {"size": size, "deeds": ()})
    do_to_newest(begun, first)
    for second in MAKES:
        controller = copy.copy(begun)
        do_to_newest(controller, second)
        world = controller.state.world
        newest = [*world.tensors][-1]
        index = fitting_index((1, 2), world.tensors[newest].shape)
        controller.set(tensor=newest, index=index)
        agree(controller)
        do(controller, "write")


def do_to_newest(controller, make):
    """Make something of what was made last."""
    controller.set(tensor=[*controller.state.world.tensors][-1], make=make)
    do(controller, "do")


def do(controller, button):
    """Press a button: it is done, or torch refuses it too."""
    before = controller.state
    controller.press(button)
    check(controller, before)
    if controller.problem is None:
        agree(controller)
        return
    line = controller.problem.what.removesuffix(" is refused.")
    if "is a number, and no view" not in controller.problem.why:
        with pytest.raises((RuntimeError, IndexError, AttributeError, TypeError)):
            run(f"{before.code()}\n{line}")
    controller.use_nearest()


def test_sharing_a_write_that_only_some_reach():
    """y shares with x, and does not reach the slot."""
    controller = Controller(EXPLORERS["sharing"], {"deeds": ()})
    controller.press("do")
    assert "every other column" in controller.state.make
    controller.set(index=(0, 1))
    assert controller.shown.truth == "x"
    controller.press("write")
    assert controller.shown.facts[0] == "Seen by x; not by y."
    controller.set(index=(0, 2))
    assert controller.shown.truth == "x, y"


def test_sharing_the_same_number_written_again_is_seen():
    """Who sees a write does not depend on what stood there."""
    controller = Controller(EXPLORERS["sharing"], {"index": (1, 2), "value": 6})
    controller.press("write")
    assert controller.shown.facts[0] == "Seen by x and y; not by z."


def test_sharing_knows_what_numpy_holds():
    """A storage under an array does not grow; one that is not under it does."""
    controller = Controller(EXPLORERS["sharing"], {"make": "numpy()"})
    controller.press("do")
    controller.set(make="resize_(4, 4)")
    controller.press("do")
    problem = controller.problem
    assert problem.what == "x.resize_(4, 4) is refused."
    assert problem.why == "The storage would have to grow, and a NumPy array lies on it."
    controller.set(make="resize_(2, 2)")
    controller.press("do")
    assert controller.problem is None
    controller.set(tensor="z", make="resize_(4, 4)")
    controller.press("do")
    assert controller.problem is None
    agree(controller)


def test_sharing_a_name_that_is_given_anew():
    """It is an array as long as it names one; and what NumPy held stays held."""
    deeds = ("y = x.numpy()", "y = x.t()", "z = y.t()")
    controller = Controller(EXPLORERS["sharing"], {"deeds": deeds})
    agree(controller)
    controller.set(make="resize_(4, 4)")
    controller.press("do")
    assert "a NumPy array lies on it" in controller.problem.why


def test_sharing_an_array_has_no_torch_methods():
    """And its flatten copies."""
    controller = Controller(EXPLORERS["sharing"], {"deeds": (), "make": "numpy()"})
    controller.press("do")
    controller.set(tensor="y", make="clone()")
    controller.press("do")
    assert controller.problem.why == "y is a NumPy array, and clone is torch's."
    assert controller.problem.nearest == "copy()"
    controller.set(make="flatten()")
    controller.press("do")
    assert controller.state.world.groups() == [["x", "y"], ["z"]]
    agree(controller)


def test_sharing_has_an_end():
    """Six names, and some deeds; then undo works."""
    controller = Controller(EXPLORERS["sharing"])
    for _ in range(4):
        controller.press("do")
    assert controller.problem.what == "There are six tensors."
    assert controller.problem.nearest == "one deed less"
    controller.use_nearest()
    assert len(controller.state.deeds) == 4
    for _ in range(MOST_DEEDS):
        controller.press("write")
    assert controller.problem.what == "24 things were done."
    controller.use_nearest()
    for _ in range(50):
        controller.undo()
    assert controller.state == controller.first
    assert not controller.can_undo


@pytest.mark.parametrize(
    ("size", "stride", "overlaps"),
    [
        ((2, 2, 2), (5, 5, 1), True),
        ((2, 2), (5, 5), True),
        ((1, 2), (0, 1), False),
        ((3, 4), (0, 1), True),
        ((0, 4), (0, 1), False),
        ((600,), (0,), True),
        ((600, 2), (1, 1), True),
        ((300, 2), (2, 2), True),
        ((300, 2), (2, 1), False),
        ((600,), (1,), False),
        ((), (), False),
    ],
)
def test_strides_says_what_overlaps(size, stride, overlaps):
    """Also where no dim has stride 0, and where there are more elements than it lists."""
    state = {"size": size, "stride": stride, "storage_offset": 3, "storage_length": 30}
    controller = Controller(EXPLORERS["strides"], state)
    assert bool(fact(controller.shown, "Overlap")) == overlaps
    reached = torch.arange(700).as_strided(size, stride, 3).flatten().tolist()
    assert (len(set(reached)) < len(reached)) == overlaps


def test_index_goes_hop_by_hop():
    """From the whole way back to the offset, then a dim more each time."""
    state = {"size": (2, 3), "stride": (1, 2), "storage_offset": 4, "index": (1, -1)}
    controller = Controller(EXPLORERS["index"], state)
    seen = []
    for _ in range(3):
        controller.press("hop")
        agree(controller)
        seen.append(controller.shown.summary)
    assert seen == [
        "After 0 of 2 hops towards [1, -1], at position 4: offset 4 = 4.",
        "After 1 of 2 hops towards [1, -1], at position 5: offset 4 + 1 × 1 = 5.",
        "[1, -1] = [1, 2] lies at position 9: offset 4 + 1 × 1 + 2 × 2 = 9.",
    ]
    assert controller.state == controller.first
    controller.press("hop")
    controller.press("next")
    assert controller.state.to_go == 0


def test_traversal_names_the_order_in_memory_and_takes_any():
    """A name goes with each size; a header that has none keeps its strides."""
    given = Layout((3, 4), (8, 2), 1)
    explorer = EXPLORERS["traversal"]
    controller = Controller(explorer, explorer.from_layout(given, 30))
    assert controller.state.memory == "your own"
    assert controller.state.layout == given
    controller.set(size="2, 2")
    assert controller.state.layout == Layout((2, 2), (8, 2), 1)
    agree(controller)
    for size in ("2, 3", "2, 3, 2", "7", "2, 3"):
        controller.set(memory="column-major", size=size)
        assert controller.state.memory == "column-major"
        agree(controller)
    controller.set(stride="3, 1")
    assert controller.state.memory == "row-major"
    controller.set(storage_offset="1")
    assert controller.state.memory == "your own"
    controller.set(memory="row-major")
    assert controller.state.layout == Layout.of((2, 3))


@pytest.mark.parametrize(
    "key", ["::-1", "None, 1:", "3:", "..., ::-2", "1, ::-1", "5:2", "::-1, ::-1", "-1:0:-1, None"]
)
def test_numpy_layouts_are_those_of_numpy(key):
    """For a tensor with an offset, and one that is transposed."""
    base = torch.arange(40)
    for x in (base[5:29].view(4, 6), base[5:29].view(4, 6).t()):
        layout = Layout(tuple(x.size()), x.stride(), x.storage_offset())
        array = x.numpy()
        sliced = eval(f"array[{key}]", {"array": array})
        ours = numpy_layout(layout, parse(key))
        assert ours.size == sliced.shape
        assert tuple(8 * step for step in ours.stride) == sliced.strides
        at = sliced.__array_interface__["data"][0] - base.data_ptr()
        assert 8 * ours.storage_offset == at
        with contextlib.suppress(ValueError):
            assert eval(f"x[{key}]", {"x": x}).tolist() == sliced.tolist()
