"""How an explorer starts, from tensors, by keywords or by itself; and how it comes back."""

import inspect

import numpy as np
import pytest
import torch
from hypothesis import given, settings

import stridekit as sk
from stridekit import explorers
from stridekit.errors import ArgumentError
from stridekit.explorers import EXPLORERS
from stridekit.explorers.controller import Controller
from stridekit.explorers.fields import Choice, MisreadError
from tests.stridekit.explorers.oracles import agree
from tests.stridekit.explorers.test_laws import act, actions
from tests.stridekit.test_imports import loaded_after

each_explorer = pytest.mark.parametrize("name", EXPLORERS)
base = torch.arange(60)
TENSORS = {
    "torch": base[:12].view(3, 4).t(),
    "torch with an offset": base.view(5, 12)[1:3, 2:6],
    "torch expanded": base[:4].expand(3, 4),
    "torch windows": base[:6].unfold(0, 3, 1),
    "torch of floats": torch.zeros(2, 3, requires_grad=True),
    "torch of 4 dims": torch.zeros(2, 3, 2, 2).contiguous(memory_format=torch.channels_last),
    "torch of 1 dim": torch.zeros(7),
    "torch on a long storage": torch.zeros(1000)[:5],
    "torch of rank 0": torch.tensor(7),
    "numpy": np.arange(12).reshape(3, 4)[:, ::2],
    "numpy of bytes": np.zeros((2, 5), np.uint8),
    "stridekit": sk.arange(24).view(2, 3, 4).permute(2, 0, 1),
}


@each_explorer
@pytest.mark.parametrize("kind", TENSORS)
def test_from_a_tensor(name, kind):
    """Its size, and where the explorer has them its strides and offset, are those of the tensor."""
    x = TENSORS[kind]
    if name == "pixels" and len(x.shape) not in (2, 3):
        with pytest.raises(MisreadError, match="A picture has rows and columns"):
            explorers.pixels(x)
        return
    box = getattr(explorers, name)(x)
    agree(box.controller)
    state = box.state
    ours = sk.as_tensor(x.detach()) if isinstance(x, torch.Tensor) else sk.as_tensor(x)
    size = state.a if name == "broadcast" else state.size
    assert size == tuple(x.shape)
    if hasattr(state, "layout"):
        assert state.layout.stride == ours.stride()
    if isinstance(x, torch.Tensor) and hasattr(state, "storage_offset"):
        assert state.storage_offset == x.storage_offset()
    assert box.controller.first == state


@each_explorer
@pytest.mark.parametrize(
    "x",
    [
        torch.zeros(100, 100), torch.zeros(1000), np.zeros((64, 64))[::-1].copy(),
        np.arange(5)[::-1], torch.arange(10**5)[90000:90003],
    ],
)  # fmt: skip
def test_a_tensor_that_cannot_be_shown_is_refused_with_what_can(name, x):
    """Too many elements, a negative stride, a far offset; some explorers do not mind them."""
    try:
        box = getattr(explorers, name)(x)
    except MisreadError as refusal:
        assert "Works: " in str(refusal)
        nearest = Controller(EXPLORERS[name], refusal.changes)
        agree(nearest)
    else:
        agree(box.controller)


@each_explorer
def test_a_tensor_without_elements(name):
    """Shown where there is something to show, refused where there is not."""
    if name in ("index", "traversal"):
        with pytest.raises(MisreadError, match=r"Size \(2, 0\) has no elements\."):
            getattr(explorers, name)(torch.zeros(2, 0))
    else:
        agree(getattr(explorers, name)(torch.zeros(2, 0)).controller)


@each_explorer
def test_what_is_no_tensor_is_refused(name):
    """With what to give."""
    with pytest.raises(ArgumentError, match=r"Make a tensor of it first: stridekit\.tensor\(x\)"):
        getattr(explorers, name)([1, 2, 3])


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("index", {"size": (2, 2), "index": (1, -1)}),
        ("index", {"size": "5", "stride": "2", "index": "4"}),
        ("strides", {"preset": "window"}),
        ("strides", {"preset": "expand", "storage_length": 4}),
        ("strides", {"size": (2, 3), "stride": (1, 2)}),
        ("reshape", {"source": "permuted", "new_size": (2, -1)}),
        ("reshape", {"size": (), "stride": (), "new_size": (1, 1)}),
        ("permute", {"size": [3, 4], "dims": [1, 0]}),
        ("slicing", {"key": "::-1"}),
        ("slicing", {"preset": "one column"}),
        ("slicing", {"size": torch.Size([5])}),
        ("broadcast", {"a": (2, 1, 3), "b": (4, 1), "c": (1,)}),
        ("sharing", {"size": (4,), "value": 7}),
        ("traversal", {"size": (1, 3, 4, 4), "memory": "channels_last", "visit": np.int64(3)}),
    ],
)
def test_by_keywords(name, state):
    """Values, or text as it would be typed."""
    box = getattr(explorers, name)(**state)
    agree(box.controller)
    texts = box.controller.texts()
    for field, value in state.items():
        if isinstance(value, int | np.integer):
            assert getattr(box.state, field) == value
        elif isinstance(value, str):
            assert value.replace(" ", "") == str(texts[field]).replace(" ", "")
        else:
            assert getattr(box.state, field) == tuple(value)


def test_keywords_change_a_preset():
    """It is then your own."""
    box = explorers.strides(preset="expand", storage_offset=2, storage_length=10)
    assert (box.state.size, box.state.stride) == ((3, 4), (0, 1))
    assert (box.state.storage_offset, box.state.storage_length) == (2, 10)
    assert box.state.preset == "your own"
    assert explorers.slicing(preset="one row", key="2").state.key == "2"


def test_a_tensor_and_keywords():
    """The keywords come after the tensor."""
    box = explorers.index(torch.zeros(4, 5).t(), index=(4, 3))
    assert box.state.index == (4, 3)
    assert box.state.stride == (1, 5)


@pytest.mark.parametrize(
    ("name", "state", "value"),
    [
        ("index", {"index": torch.tensor([1, 2])}, (1, 2)),
        ("index", {"index": sk.tensor([1, 2])}, (1, 2)),
        ("index", {"index": np.array([1, 2])}, (1, 2)),
        ("strides", {"storage_length": np.int64(15)}, 15),
        ("traversal", {"line": 32}, "32"),
        ("traversal", {"visit": torch.tensor(3)}, 3),
    ],
)
def test_values_may_be_what_a_program_has(name, state, value):
    """Arrays, tensors, and numbers where an option is one."""
    ((field, _),) = state.items()
    assert getattr(getattr(explorers, name)(**state).state, field) == value


@pytest.mark.parametrize(
    ("name", "state", "sentence"),
    [
        ("index", {"index": (9, 9)}, "Index 9 leaves dim 0. It has size 3, so its indices are -3 "
         "to 2. Works: index (2, 3)."),
        ("strides", {"stride": (-4, 1)}, "The stride '-4, 1' cannot be used."),
        ("strides", {"preset": "colum-major"}, "Preset: there is no 'colum-major'. There are: row"),
        ("reshape", {"newsize": (12,)}, "There is no newsize. One can set source, size, stride"),
        ("broadcast", {"a": (3,), "b": (4,)}, "They do not broadcast."),
        ("sharing", {"deeds": ["y = x.sum()"]}, "What was done cannot be done. 'y = x.sum()' "),
        ("sharing", {"deed": ()}, "There is no deed. One can set size, tensor, make, index"),
        ("index", {"to_go": 99}, "There are no 99 hops to go."),
        ("index", {"size": (10**5000, 3)}, "The size '<tuple>' cannot be read."),
        ("strides", {"preset": 10**5000}, "Preset: there is no <int>."),
        ("traversal", {"line": 33}, "Bytes in a line: there is no 33. There are: 8; 16; 32; 64"),
    ],
)  # fmt: skip
def test_a_state_that_cannot_be_shown_is_refused(name, state, sentence):
    """As an exception for the program, with all three parts."""
    with pytest.raises(MisreadError) as refusal:
        getattr(explorers, name)(**state)
    assert str(refusal.value).startswith(sentence)
    assert "Works: " in str(refusal.value)
    agree(Controller(EXPLORERS[name], refusal.value.changes))


@each_explorer
def test_each_is_there_by_name_and_says_what_it_takes(name):
    """In `__all__`, with a docstring that names the parts of its state."""
    opener = getattr(explorers, name)
    assert name in explorers.__all__
    told = inspect.getdoc(opener)
    parts = told.split("\n")[0].split(": ")[1].replace(", and key as it is written", ", key")
    names = {part.strip(" .") for part in parts.split(",")}
    assert names <= set(EXPLORERS[name].settings())


def test_a_key_is_given_as_python_has_it():
    """What stands in x[...], and text that says the same."""
    assert explorers.slicing(key=(0, slice(1, None))).state.key == "0, 1:"
    assert explorers.slicing(key=(None, ..., slice(None, None, 2))).state.key == "None, ..., ::2"
    assert explorers.slicing(key=slice(2)).state.key == ":2"
    with pytest.raises(MisreadError, match="holds a list"):
        explorers.slicing(key=(0, [1, 2]))


def test_sharing_may_begin_with_x_alone():
    """Also with a tensor, and with what is chosen for the first deed."""
    box = explorers.sharing(torch.zeros(2, 3), deeds=(), make="one row", index=(1, 2))
    assert box.state.deeds == ()
    assert [row[0] for row in box.controller.shown.table[1:]] == ["x"]
    assert explorers.sharing(deeds=()).state.deeds == ()
    agree(box.controller)


def test_each_has_a_function_that_opens_it():
    """And each function an explorer."""
    assert sorted(EXPLORERS) == sorted(explorers.__all__)


def test_importing_them_loads_no_third_party_package():
    """Nor does a controller; only a widget needs ipywidgets."""
    controller = (
        "from stridekit.explorers import EXPLORERS; "
        "from stridekit.explorers.controller import Controller; "
        "from stridekit.explorers.markup import page_html; "
        "[page_html(Controller(each)) for each in EXPLORERS.values()]"
    )
    assert loaded_after("import stridekit.explorers") == set()
    assert loaded_after(controller) == set()


def test_a_widget_loads_neither_torch_nor_matplotlib():
    """So that it comes at once."""
    assert loaded_after("import stridekit.explorers as e; e.index()") <= {
        "anywidget",
        "ipywidgets",
        "IPython",
    }


# The line of code that brings a state back.


def recalled(controller):
    """The state that the line brings back, run as a learner runs it."""
    line = controller.state.opening_line()
    return eval(line, {"torch": torch, **{each: getattr(explorers, each) for each in EXPLORERS}})


@each_explorer
def test_a_line_brings_every_state_back(name):
    """After whatever was done."""
    explorer = EXPLORERS[name]

    @settings(max_examples=60)
    @given(actions(explorer))
    def holds(doings):
        controller = Controller(explorer)
        for action, argument in doings:
            act(controller, action, argument)
        assert recalled(controller).state == controller.state

    holds()


@each_explorer
def test_a_line_brings_every_option_back(name):
    """Each preset, and each other choice, where it can be chosen at first."""
    for control in EXPLORERS[name].controls:
        if isinstance(control, Choice):
            for option in control.options:
                controller = Controller(EXPLORERS[name])
                controller.set(**{control.name: option})
                assert recalled(controller).state == controller.state


@pytest.mark.parametrize(
    ("name", "given", "line"),
    [
        ("strides", {}, "strides()"),
        ("strides", {"preset": "window"}, "strides(preset='window')"),
        ("strides", {"size": (2, 3)}, "strides(size=(2, 3))"),
        ("index", {"index": (0, 3), "to_go": 1}, "index(index=(0, 3), to_go=1)"),
        (
            "sharing",
            {"deeds": ["y = x.numpy()", "y[0, 1] = 7"]},
            "sharing(deeds=('y = x.numpy()', 'y[0, 1] = 7'))",
        ),
        ("slicing", {"key": "::-1"}, "slicing(preset='rows backwards')"),
    ],
)
def test_the_line_says_what_differs(name, given, line):
    """And nothing else."""
    assert getattr(explorers, name)(**given).state.opening_line() == line


@pytest.mark.parametrize("name", EXPLORERS)
def test_a_line_brings_given_tensors_back(name):
    """Headers that cannot be typed come back as a tensor."""
    for x in (torch.arange(40).as_strided((3, 4), (8, 2), 1), torch.arange(12).view(3, 4).t()):
        controller = getattr(explorers, name)(x).controller
        assert recalled(controller).state == controller.state
