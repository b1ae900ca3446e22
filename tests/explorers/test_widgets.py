"""The widgets are a thin view: they drive the controller, and follow it."""

import asyncio
import html
import re

import pytest

from stridekit import explorers
from stridekit.explorers import EXPLORERS
from stridekit.explorers.explorer import Button, Choice, TextField
from stridekit.explorers.markup import code_html, message_html, page_html

each_explorer = pytest.mark.parametrize("name", EXPLORERS)


def opened(name, *args, **state):
    """An explorer as a notebook opens it."""
    return getattr(explorers, name)(*args, **state)


def visible(widget):
    """Whether a widget takes room."""
    return widget.layout.display != "none"


@each_explorer
def test_it_shows_what_its_controller_shows(name):
    """The message, the page, the code, and the fields."""
    box = opened(name)
    controller = box.controller
    assert box.state is controller.state
    assert box.message.value == message_html(controller)
    assert box.page.value == page_html(controller)
    assert box.code.value == code_html(controller)
    for field, standing in controller.texts().items():
        assert box.controls[field].value == standing
    assert not visible(box.nearest)
    assert not visible(box.prediction)
    assert "sk-problem" not in box.message.value


@each_explorer
def test_every_field_drives_the_controller(name):
    """What is typed comes to the controller as it is typed, and stays in the field."""
    for control in EXPLORERS[name].controls:
        if isinstance(control, TextField):
            box = opened(name)
            typed = f"  {control.spell(getattr(box.state, control.name))}  "
            box.controls[control.name].value = typed
            assert box.controls[control.name].value == typed
            assert box.controller.problem is None
            assert box.state == box.controller.first or hasattr(box.state, "visit")


@each_explorer
def test_every_choice_drives_the_controller(name):
    """Each option comes to the controller."""
    for control in EXPLORERS[name].controls:
        if isinstance(control, Choice):
            for option in opened(name).controls[control.name].options:
                box = opened(name)
                box.controls[control.name].value = option
                taken = getattr(box.state, control.name) == option
                # Some options wait for others, and "your own" is taken when something is.
                assert taken or box.controller.problem is not None or option == "your own"


@each_explorer
def test_every_button_drives_the_controller(name):
    """What the button does to the state is what the controller does."""
    for control in EXPLORERS[name].controls:
        if isinstance(control, Button) and not control.every:
            box, other = opened(name), opened(name)
            box.controls[control.name].click()
            other.controller.press(control.name)
            assert box.state == other.state
            assert box.page.value == page_html(other.controller)


@each_explorer
def test_an_error_shows_and_goes(name):
    """The message and the button come; the page stays, marked; all goes when it is mended."""
    field = next(each.name for each in EXPLORERS[name].controls if isinstance(each, TextField))
    box = opened(name)
    good, page = box.controls[field].value, box.page.value
    box.controls[field].value = "nonsense"
    assert "sk-problem" in box.message.value
    assert "<b>Works:</b>" in box.message.value
    assert visible(box.nearest)
    assert "last valid" in box.page.value
    assert "sk-stale" in box.page.value
    assert page.removeprefix('<div class="sk-page">') in box.page.value
    assert box.controls[field].value == "nonsense"
    box.controls[field].value = good
    assert "sk-problem" not in box.message.value
    assert not visible(box.nearest)
    assert box.page.value == page
    box.controls[field].value = "nonsense"
    box.nearest.click()
    assert box.controller.problem is None
    assert not visible(box.nearest)
    assert "sk-problem" not in box.message.value
    assert box.controls[field].value == box.controller.texts()[field]


def test_other_fields_follow():
    """A size of three dims brings its strides; what is typed in is left as it is typed."""
    box = opened("permute", size=(3, 4), stride=(4, 1))
    box.controls["size"].value = "(2, 3, 4)"
    assert box.controls["size"].value == "(2, 3, 4)"
    assert box.controls["stride"].value == "12, 4, 1"
    assert box.controls["dims"].value == "2, 1, 0"
    box.controls["reverse"].click()
    assert box.controls["dims"].value == "0, 1, 2"
    assert box.controls["size"].value == "2, 3, 4"


def test_what_says_the_same_is_left_as_it_is_typed():
    """While one types elsewhere: a key may still be on its way from there."""
    box = opened("permute", size=(3, 4), stride=(4, 1))
    box.controls["size"].value = "[3 5]"
    box.controls["dims"].value = "0 1"
    assert box.state.dims == (0, 1)
    assert box.controls["size"].value == "[3 5]"
    box.controls["stride"].value = "1, 3"
    assert box.controls["dims"].value == "0 1"
    box.controls["turn"].click()
    assert {name: box.controls[name].value for name in ("size", "stride", "dims")} == {
        "size": "3, 5",
        "stride": "1, 3",
        "dims": "1, 0",
    }


def test_a_preset_fills_the_fields_and_the_fields_name_a_preset():
    """Both ways."""
    box = opened("strides")
    box.controls["preset"].value = "window"
    assert box.controls["stride"].value == "1, 1"
    box.controls["stride"].value = "2, 1"
    assert box.controls["preset"].value == "your own"


def test_only_tensors_that_are_made_are_offered():
    """A new one as soon as it is there; one that a program asked for stands until it is mended."""
    box = opened("sharing")
    chosen = box.controls["tensor"]
    assert chosen.options == ("x", "y", "z")
    box.controls["do"].click()
    assert chosen.options == ("x", "y", "z", "u")
    assert chosen.value == "x"
    chosen.value = "u"
    box.controls["undo"].click()
    assert chosen.options == ("x", "y", "z")
    assert chosen.value == box.state.tensor == "x"
    box.set(tensor="w")
    assert chosen.options == ("x", "y", "z", "w")
    assert chosen.value == "w"
    assert "There is no tensor w yet" in box.message.value
    box.nearest.click()
    assert chosen.options == ("x", "y", "z")
    assert chosen.value == box.state.tensor


@each_explorer
def test_reset_goes_back(name):
    """To the first state, from a problem too."""
    box = opened(name)
    for control in EXPLORERS[name].controls:
        if isinstance(control, TextField):
            box.controls[control.name].value = "nonsense"
        elif isinstance(control, Choice):
            box.controls[control.name].value = box.controls[control.name].options[-1]
    box.restart.click()
    assert box.state == box.controller.first
    assert box.controller.problem is None
    assert {n: w.value for n, w in box.controls.items() if hasattr(w, "value")} == (
        box.controller.texts()
    )


@each_explorer
def test_predict_first_hides_and_reveals(name):
    """The question, no answer anywhere, then the answer with a verdict."""
    plain, box = opened(name), opened(name, predict=True)
    shown = box.controller.shown
    assert visible(box.prediction)
    hidden = box.message.value + box.page.value + box.code.value
    assert "?" in box.message.value
    assert shown.summary not in hidden
    for fact in shown.facts:
        assert fact not in hidden
    assert "<table" not in hidden
    assert box.code.value == ""
    box.prediction.value = "no idea"
    assert f"You said no idea; it is {shown.truth}." in box.message.value
    assert box.page.value == plain.page.value
    assert box.code.value == plain.code.value
    box.prediction.value = shown.truth
    assert f"Right: {shown.truth}." in box.message.value
    box.prediction.value = "  "
    assert shown.summary not in box.message.value
    box.predict.value = False
    assert box.page.value == plain.page.value
    assert not visible(box.prediction)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("slicing", ["(3, 2)", "3, 2", "[3 2]", "3x2"], ["32", "2, 3", ""]),
        ("sharing", ["x, y", "y and x", "X,Y", "x y"], ["x", "x, y, z", "xy"]),
        ("index", ["6", " 6. ", "06"], ["5", "-6", "six"]),
        ("reshape", ["no", "No!"], ["yes", "not"]),
        ("permute", ["1, 12, 4"], ["-1, 12, 4", "1 124"]),
    ],
)
def test_answers_are_read_leniently_too(name, right, wrong):
    """Signs between words do not matter; numbers and names do."""
    box = opened(name, predict=True)
    for answer in right:
        box.prediction.value = answer
        assert "Right: " in box.message.value, answer
    for answer in wrong:
        box.prediction.value = answer
        assert "Right: " not in box.message.value, answer


def test_another_question_asks_again_and_the_same_does_not():
    """A step along the way leaves the answer standing; another loop order does not."""
    box = opened("traversal", predict=True)
    box.prediction.value = "32"
    box.controls["step"].click()
    assert "Right: 32." in box.message.value
    box.controls["line"].value = "64"
    assert "Right" not in box.message.value
    assert box.prediction.value == ""


def test_rank_0_is_answered_with_brackets():
    """There is no number in ()."""
    box = opened("broadcast", predict=True, a=(), b=())
    box.prediction.value = "?"
    assert "Right" not in box.message.value
    box.prediction.value = "( )"
    assert "Right: ()." in box.message.value


@each_explorer
def test_without_a_kernel_the_figure_remains(name):
    """The bundle holds the widget, the picture with its alt text, and a sentence."""
    bundle = opened(name)._repr_mimebundle_()
    shown = opened(name).controller.shown
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"] == shown.summary
    assert re.search(
        r'<img alt="[^"]{40,}" [^>]*src="data:image/svg\+xml;base64,', bundle["text/html"]
    )
    assert len(re.findall("<img ", bundle["text/html"])) == len(shown.diagrams)


@each_explorer
def test_without_a_kernel_a_question_keeps_its_answer(name):
    """With predict first the figure is the one of the question."""
    box = opened(name, predict=True)
    controller = box.controller
    bundle = box._repr_mimebundle_()
    assert bundle["text/plain"] == controller.shown.question
    assert len(re.findall("<img ", bundle["text/html"])) == len(controller.shown.given())
    assert html.escape(controller.shown.summary, quote=False) not in bundle["text/html"]


async def played(box):
    """Until it stands still."""
    while not box._playing.done():
        await asyncio.sleep(0)


def test_play_goes_to_the_end_and_stops(monkeypatch):
    """Step by step, in the loop that runs; the button says Stop while it plays."""
    monkeypatch.setattr(asyncio, "sleep", _no_time(asyncio.sleep))
    box = opened("traversal", size=(2, 3))
    play = box.controls["play"]

    async def watch():
        play.click()
        await asyncio.sleep(0)
        said = play.description
        await played(box)
        return said

    for _ in range(2):  # at the end it begins again
        assert asyncio.run(watch()) == "Stop"
        assert box.state.visit == 5
        assert play.description == "Play"


def test_play_stops_when_asked():
    """The same button, pressed again."""
    box = opened("traversal")
    play = box.controls["play"]

    async def watch():
        play.click()
        await asyncio.sleep(0)
        play.click()
        await played(box)

    asyncio.run(watch())
    assert box.state.visit == 1
    assert play.description == "Play"


def test_play_pressed_twice_at_once_can_be_pressed_again(monkeypatch):
    """The first was stopped before it began."""
    monkeypatch.setattr(asyncio, "sleep", _no_time(asyncio.sleep))
    box = opened("traversal", size=(2, 3))
    play = box.controls["play"]

    async def watch():
        play.click()
        play.click()
        await asyncio.sleep(0)
        assert box.state.visit == 0
        play.click()
        await played(box)

    asyncio.run(watch())
    assert box.state.visit == 5
    assert play.description == "Play"


def _no_time(sleep):
    return lambda _seconds: sleep(0)


def test_a_program_can_do_what_the_fields_do():
    """`set`, `reset` and `state`."""
    box = opened("index")
    box.set(index=(2, 3))
    assert box.state.index == (2, 3)
    assert box.controls["index"].value == "2, 3"
    box.set(index="0, 0", nonsense=1)
    assert "sk-problem" in box.message.value
    box.reset()
    assert box.state == box.controller.first
