"""The widget is a thin view: keys and clicks of its page drive the controller, and it follows."""

import asyncio
import base64
import html
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

import numpy as np
import pytest

import stridekit as sk
from stridekit import explorers
from stridekit.errors import ArgumentError
from stridekit.explorers import EXPLORERS
from stridekit.explorers.controller import Controller
from stridekit.explorers.fields import Button, Choice, TextField
from stridekit.explorers.markup import NARROW, message_html, page_html
from stridekit.explorers.widgets import PAGE_STYLE, ExplorerBox
from tests import ROOT

each_explorer = pytest.mark.parametrize("name", EXPLORERS)


def opened(name, *args, **state):
    """An explorer as a notebook opens it."""
    return getattr(explorers, name)(*args, **state)


def shown(box):
    """All that the page shows."""
    return {**box.answer, "page": box.page}


class Page:
    """What a page sends, each time with its next serial number."""

    def __init__(self, box, view="page"):
        self.box, self.view, self.serial = box, view, 0

    def send(self, do, **content):
        """Do something, and give what is shown then."""
        self.serial += 1
        self.box._said(
            self.box, {"do": do, **content, "view": self.view, "serial": self.serial}, []
        )
        assert self.box._heard[self.view] == self.serial
        return shown(self.box)

    def type(self, name, text, *, begins=True):
        """A field says this now."""
        return self.send("type", name=name, text=text, begins=begins)


@each_explorer
def test_a_key_is_answered_by_one_message(name):
    """With the picture only if it is another one: a slip of the hand costs little."""
    box = opened(name)
    field = next(each for each in EXPLORERS[name].controls if isinstance(each, TextField))
    page, told = Page(box), []
    box.comm.send = lambda data, **_: told.append(data)
    texts = [f"{field.spell(getattr(box.state, field.name))}{end}" for end in ("", ",x", ",xy")]
    for number, text in enumerate(texts, start=1):
        page.type(field.name, text, begins=number == 1)
        assert len(told) == number
        sent = told[-1]["state"]
        assert [*sent] == ["answer"], "the picture is the same"
        assert len(json.dumps(sent)) < 4500
    told.clear()
    page.send("predict", on=True)
    page.send("predict", on=False)
    assert [sorted(each["state"]) for each in told] == [["answer", "page"]] * 2


@each_explorer
def test_it_shows_what_its_controller_shows(name):
    """The message, the picture, the code, and the fields; as plain data."""
    box = opened(name)
    controller, shows = box.controller, shown(box)
    assert box.state is controller.state
    assert shows["message"] == message_html(controller)
    assert shows["page"] == page_html(controller)
    assert shows["code"] == controller.state.code()
    assert shows["texts"] == controller.texts()
    assert not shows["nearest"]
    assert not shows["asks"]
    assert not shows["problem"]
    assert (shows["undo"], shows["redo"]) == (False, False)
    assert json.dumps([box.what, shows])
    assert [each["name"] for each in box.what["controls"]] == [
        each.name for each in EXPLORERS[name].controls if not getattr(each, "hidden", False)
    ]


@each_explorer
def test_every_field_drives_the_controller(name):
    """What is typed comes to the controller as it is typed, and stays in the field."""
    for control in EXPLORERS[name].controls:
        if isinstance(control, TextField):
            box = opened(name)
            typed = f"  {control.spell(getattr(box.state, control.name))}  "
            assert Page(box).type(control.name, typed)["texts"][control.name] == typed
            assert box.controller.problem is None
            assert box.state == box.controller.first or hasattr(box.state, "visit")


@each_explorer
def test_every_choice_drives_the_controller(name):
    """Each option comes to the controller."""
    for control in EXPLORERS[name].controls:
        if isinstance(control, Choice):
            for option in control.options:
                box = opened(name)
                Page(box).send("choose", name=control.name, value=option)
                taken = getattr(box.state, control.name) == option
                # Some options wait for others, and "your own" is taken when something is.
                assert taken or box.controller.problem is not None or option == "your own"


@each_explorer
def test_every_button_drives_the_controller(name):
    """What the button does to the state is what the controller does."""
    for control in EXPLORERS[name].controls:
        if isinstance(control, Button) and control.every is None:
            box, other = opened(name), opened(name)
            Page(box).send("press", name=control.name)
            other.controller.press(control.name)
            assert box.state == other.state
            assert shown(box)["page"] == page_html(other.controller)


@each_explorer
def test_an_error_shows_and_goes(name):
    """The message and the button come; the picture stays as it is; all goes when it is mended."""
    field = next(each.name for each in EXPLORERS[name].controls if isinstance(each, TextField))
    box = opened(name)
    page, good, drawn = Page(box), shown(box)["texts"][field], shown(box)["page"]
    shows = page.type(field, "nonsense")
    assert shows["problem"]
    assert "sk-problem" in shows["message"]
    assert "<b>Works:</b>" in shows["message"]
    assert shows["nearest"]
    assert shows["page"] == drawn
    assert shows["texts"][field] == "nonsense"
    shows = page.type(field, good, begins=False)
    assert not shows["problem"]
    assert not shows["nearest"]
    assert shows["page"] == drawn
    page.type(field, "nonsense")
    shows = page.send("nearest")
    assert box.controller.problem is None
    assert not shows["nearest"]
    assert "sk-problem" not in shows["message"]
    assert shows["texts"][field] == box.controller.texts()[field]


def test_a_slip_of_ours_is_told_and_ends_nothing(monkeypatch):
    """No callback dies silently, and the next key works."""
    box = opened("index")
    page = Page(box)
    with monkeypatch.context() as patched:
        patched.setattr(box.controller, "type_in", lambda *_args, **_kw: 1 / 0)
        shows = page.type("size", "2, 2")
    assert "a slip of stridekit" in shows["message"]
    assert "ZeroDivisionError" in shows["message"]
    assert not page.type("size", "2, 2")["problem"]


def test_other_fields_follow():
    """A size of three dims brings its strides; what is typed in is left as it is typed."""
    box = opened("permute", size=(3, 4), stride=(4, 1))
    page = Page(box)
    texts = page.type("size", "(2, 3, 4)")["texts"]
    assert (texts["size"], texts["stride"], texts["dims"]) == ("(2, 3, 4)", "12, 4, 1", "0, 1, 2")
    texts = page.send("press", name="reverse")["texts"]
    assert (texts["size"], texts["dims"]) == ("2, 3, 4", "2, 1, 0")


def test_what_says_the_same_is_left_as_it_is_typed():
    """While one types elsewhere; what is done on purpose spells everything evenly."""
    box = opened("permute", size=(3, 4), stride=(4, 1))
    page = Page(box)
    page.type("size", "[3 5]")
    assert page.type("dims", "0 1")["texts"]["size"] == "[3 5]"
    assert box.state.dims == (0, 1)
    assert page.type("stride", "1, 3")["texts"]["dims"] == "0 1"
    texts = page.send("press", name="turn")["texts"]
    assert texts == {"size": "3, 5", "stride": "1, 3", "storage_offset": "0", "dims": "1, 0"}


def test_a_preset_fills_the_fields_and_the_fields_name_a_preset():
    """Both ways."""
    page = Page(opened("strides"))
    assert page.send("choose", name="preset", value="window")["texts"]["stride"] == "1, 1"
    assert page.type("stride", "2, 1")["texts"]["preset"] == "your own"


def test_what_is_done_on_purpose_is_told_from_what_is_typed():
    """The page takes the former into all fields, and keeps its hands off the focus otherwise."""
    box = opened("permute")
    page = Page(box)
    acts = shown(box)["acts"]
    assert page.type("size", "2, 3, 4")["acts"] == acts
    assert page.send("undo")["acts"] == acts + 1
    assert page.send("press", name="turn")["acts"] == acts + 2
    box.set(size=(3, 4, 5))
    assert shown(box)["acts"] == acts + 3


def test_each_view_hears_of_its_own_keys():
    """Two outputs may show the same explorer."""
    box = opened("index")
    one, two = Page(box, "one"), Page(box, "two")
    one.type("size", "2, 2")
    one.type("size", "2, 3", begins=False)
    two.type("size", "2, 4")
    assert shown(box)["heard"] == {"one": 2, "two": 1}


@pytest.mark.parametrize(
    "content",
    [
        {}, {"do": "dance"}, {"do": ["type"]}, {"do": "press", "name": "nobody"}, {"do": "pick"},
        {"do": "pick", "section": "a", "name": "x", "index": [1], "address": 2},
        {"do": "edges", "dim": None, "start": 1, "stop": 2},
        {"do": "choose", "name": 3, "value": {}},
    ],
)  # fmt: skip
def test_what_no_page_of_ours_says_does_no_harm(content):
    """It is heard, and the explorer works on."""
    box = opened("index")
    box._said(box, content, [])
    assert box.state == box.controller.first
    assert not Page(box).type("size", "2, 4")["problem"]


def test_only_tensors_that_are_made_are_offered():
    """A new one as soon as it is there; one that a program asked for stands until it is mended."""
    box = opened("sharing")
    page = Page(box)

    def offered():
        return shown(box)["offers"]["tensor"], shown(box)["texts"]["tensor"]

    assert offered() == (("x", "y", "z"), "x")
    page.send("press", name="do")
    assert offered() == (("x", "y", "z", "u"), "x")
    page.send("choose", name="tensor", value="u")
    for _ in range(2):
        page.send("undo")
    assert offered() == (("x", "y", "z"), "x")
    box.set(tensor="w")
    assert offered() == (("x", "y", "z", "w"), "w")
    assert "There is no tensor w yet" in shown(box)["message"]
    page.send("nearest")
    assert offered() == (("x", "y", "z"), box.state.tensor)


def test_of_an_array_is_offered_what_numpy_has():
    """And of a tensor what torch has."""
    box = opened("sharing", deeds=["y = x.numpy()"])
    assert "clone()" in shown(box)["offers"]["make"]
    box.set(tensor="y", make="copy()")
    assert "clone()" not in shown(box)["offers"]["make"]
    assert "transpose()" in shown(box)["offers"]["make"]


def test_the_complaint_is_about_the_field_just_typed_and_all_bad_ones_are_marked():
    """A field that cannot be read; else those that do not fit together."""
    page = Page(opened("strides"))
    assert page.type("size", "3, x")["wrong"] == ["size"]
    shows = page.type("storage_length", "many")
    assert "The storage length 'many' cannot be read." in shows["message"]
    assert sorted(shows["wrong"]) == ["size", "storage_length"]
    shows = page.type("storage_length", "12", begins=False)
    assert "The size '3, x' cannot be read." in shows["message"]
    assert shows["wrong"] == ["size"]
    assert page.type("size", "3, 4")["wrong"] == []
    assert page.type("stride", "1")["wrong"] == ["stride"], "it can be read, and does not fit"


@each_explorer
def test_on_a_narrow_page_a_picture_is_no_wider(name):
    """But for one of pixels, which has one width. Wide again, it is as it was."""
    box = opened(name)
    wide = shown(box)["page"]
    page = Page(box).send("narrow", on=True)["page"]
    width = int(re.search(r'<svg[^>]* viewBox="0 0 (\d+) ', page)[1])
    if name != "pixels":
        assert width <= NARROW
        assert f'"width":{width},' in page, "what answers to the hand is of this picture"
    assert Page(box).send("narrow", on=False)["page"] == wide


def test_of_what_is_refused_the_nearest_is_offered():
    """A resize_ that would grow what NumPy holds: one that does not grow, or a copy that may."""
    for size, nearest in (((3, 4), "resize_(2, 2)"), ((1, 3), "clone()")):
        deeds = ["y = x.numpy()"]
        box = opened("sharing", size=size, deeds=deeds, make="resize_(4, 4)")
        message = Page(box).send("press", name="do")["message"]
        assert "a NumPy array lies on it" in message
        assert f"<b>Works:</b> {nearest}" in message


@each_explorer
def test_reset_goes_back_and_undo_takes_it_back(name):
    """To the first state, from a problem too."""
    box = opened(name)
    page = Page(box)
    for control in EXPLORERS[name].controls:
        if isinstance(control, TextField):
            page.type(control.name, "nonsense")
        elif isinstance(control, Choice):
            page.send("choose", name=control.name, value=control.options[-1])
    before = box.state
    shows = page.send("reset")
    assert box.state == box.controller.first
    assert box.controller.problem is None
    assert shows["texts"] == box.controller.texts()
    if before != box.state:
        page.send("undo")
        assert box.state == before


@each_explorer
def test_predict_first_hides_and_reveals(name):
    """The question, no answer anywhere, then the answer with a verdict."""
    plain, box = opened(name), opened(name, predict=True)
    answer, page = box.controller.shown, Page(box)
    assert shown(box)["asks"]
    assert shown(box)["hidden"]
    hidden = "".join(shown(box)[part] for part in ("message", "lead", "page", "code", "line"))
    assert "?" in shown(box)["message"]
    assert answer.summary not in hidden
    for fact in answer.facts:
        assert fact not in hidden
    assert "→" not in hidden
    assert shown(box)["code"] == shown(box)["line"] == ""
    shows = page.send("guess", text="no idea")
    assert f"You said no idea; it is {answer.truth}." in shows["message"]
    assert html.escape(answer.why, quote=False) in shows["message"]
    assert shows["page"] == shown(plain)["page"]
    assert shows["code"] == shown(plain)["code"]
    assert f"Right: {answer.truth}." in page.send("guess", text=answer.truth)["message"]
    assert answer.summary not in page.send("guess", text="  ")["message"]
    shows = page.send("predict", on=False)
    assert (shows["page"], shows["lead"]) == (shown(plain)["page"], shown(plain)["lead"])
    assert not shows["asks"]


def test_predict_is_true_or_false():
    """An array of several has no truth."""
    with pytest.raises(ArgumentError, match="index: predict is True or False, and array"):
        explorers.index(predict=np.array([0, 1]))


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("slicing", ["(3, 2)", "3, 2", "[3 2]", "3x2"], ["32", "2, 3", ""]),
        ("sharing", ["x, y", "y and x", "X,Y", "x y"], ["x", "x, y, z", "xy"]),
        ("index", ["6", " 6. ", "06"], ["5", "-6", "six"]),
        ("reshape", ["no", "No!"], ["yes", "not"]),
        ("permute", ["1, 6, 3"], ["-1, 6, 3", "1 63"]),
    ],
)
def test_answers_are_read_leniently_too(name, right, wrong):
    """Signs between words do not matter; numbers and names do."""
    page = Page(opened(name, predict=True))
    for answer in right:
        assert "Right: " in page.send("guess", text=answer)["message"], answer
    for answer in wrong:
        assert "Right: " not in page.send("guess", text=answer)["message"], answer


@pytest.mark.parametrize(
    ("name", "state", "answer", "why"),
    [
        ("index", {"storage_offset": 5}, "6", "The offset is missing"),
        ("index", {"stride": (1, 3), "index": (1, 2)}, "6", "its place in reading order"),
        ("strides", {"stride": (5, 1), "storage_length": 20}, "13", "the last position"),
        ("strides", {"stride": (5, 1), "storage_length": 20}, "12", "how many elements there are"),
        ("strides", {"stride": (5, 1), "storage_length": 20}, "7", "0 + 2 × 5 + 3 × 1 = 13"),
        ("reshape", {}, "yes", "cannot merge"),
        ("permute", {}, "6, 3, 1", "x's own stride"),
        ("permute", {}, "4, 2, 1", "a copy in row-major order"),
        ("slicing", {"key": "1, ::2"}, "3, 4", "The number 1 takes dim 0 away; ::2 keeps 2 of"),
        ("slicing", {}, "3, 4", "The slice : keeps 3 of the 3 in dim 0; ::2 keeps 2 of"),
        ("broadcast", {}, "4", "b stretches to 3; a stretches to 4"),
        ("sharing", {}, "x", "position 5 of storage A, which x and y reach"),
        ("traversal", {}, "4", "That is how many lines there are"),
        ("traversal", {}, "15", "The first visit counts as well"),
    ],
)
def test_a_wrong_answer_is_told_why(name, state, answer, why):
    """What it would have been, where people often give it; and how the truth comes about."""
    message = Page(opened(name, predict=True, **state)).send("guess", text=answer)["message"]
    assert f"You said {answer}; it is" in message
    assert why in message


def test_another_question_asks_again_and_the_same_does_not():
    """A step along the way leaves the answer standing; another loop order does not."""
    page = Page(opened("traversal", predict=True))
    page.send("guess", text="16")
    assert "Right: 16." in page.send("press", name="step")["message"]
    shows = page.send("choose", name="line", value="64")
    assert "Right" not in shows["message"]
    assert shows["prediction"] == ""


def test_rank_0_is_answered_with_brackets():
    """There is no number in ()."""
    page = Page(opened("broadcast", predict=True, a=(), b=()))
    assert "Right" not in page.send("guess", text="?")["message"]
    assert "Right: ()." in page.send("guess", text="( )")["message"]


def test_a_click_selects_the_code_in_safari_too():
    """It knows `user-select` by its prefixed name alone."""
    names = re.findall(r"(-webkit-)?(user-select: \w+)", PAGE_STYLE)
    prefixed = [("-webkit-", what) for prefix, what in names if not prefix]
    assert prefixed == [each for each in names if each[0]] != []


@each_explorer
def test_without_a_kernel_the_figure_remains(name):
    """The bundle holds the widget, the picture with its alt text, and a sentence.

    The picture is light or dark as the page is.
    """
    bundle, _ = opened(name)._repr_mimebundle_()
    shown = opened(name).controller.shown
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"] == shown.summary
    pictures = re.findall(
        r'<img alt="[^"]{40,}" [^>]*src="data:image/svg\+xml;base64,([^"]+)"', bundle["text/html"]
    )
    assert len(pictures) == 1
    assert all(b"color-scheme:light dark" in base64.b64decode(each) for each in pictures)
    assert '<div class="sk-still stridekit">' in bundle["text/html"]


@each_explorer
def test_without_a_kernel_a_question_keeps_its_answer(name):
    """With predict first the figure is the one of the question."""
    box = opened(name, predict=True)
    controller = box.controller
    bundle, _ = box._repr_mimebundle_()
    assert bundle["text/plain"] == controller.shown.question
    assert len(re.findall("<img ", bundle["text/html"])) == (controller.shown.given() is not None)
    assert html.escape(controller.shown.summary, quote=False) not in bundle["text/html"]


def completed(coroutine):
    """What it gives. In a thread: where a browser is open, Playwright's loop runs in this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, coroutine).result()


def test_play_goes_to_the_end_and_is_one_step_for_undo():
    """Pressed again and again by the page, until nothing is new; at the end it begins again."""
    box = opened("traversal", size=(2, 3))
    page = Page(box)
    for first in (1, 0):
        said = page.send("press", name="play")["message"]
        assert box.state.visit == first
        acts, before = shown(box)["acts"], ""
        while said != before:
            before, said = said, page.send("press", name="play", begins=False)["message"]
        assert box.state.visit == 5
        assert shown(box)["acts"] == acts, "what goes on by itself leaves the focus its field"
    # The second time led back to where it began.
    Page(box).send("undo")
    assert box.state.visit == 0


def test_the_picture_that_is_saved_is_the_last_one(monkeypatch):
    """Made anew once the keys have stopped, and not at each of them."""
    monkeypatch.setattr("stridekit.explorers.widgets.AFTER", 0.01)
    outputs, renewed, names = [], [], []

    def display(bundle, *, raw, metadata=None, display_id=None):
        outputs.append(bundle)
        names.append(display_id)

    def update_display(bundle, *, raw, display_id):
        assert display_id == names[1]
        renewed.append(bundle)

    monkeypatch.setattr("IPython.display.display", display)
    monkeypatch.setattr("IPython.display.update_display", update_display)
    box = opened("strides")
    box._ipython_display_()
    assert ["text/html" in each for each in outputs] == [False, True]
    assert "application/vnd.jupyter.widget-view+json" in outputs[0]
    assert "stride (4, 1)" in outputs[1]["text/html"]

    async def keys():
        for text in ("5", "5, ", "5, 1"):
            Page(box).type("stride", text, begins=text == "5")
        assert renewed == []
        await asyncio.sleep(0.05)

    completed(keys())
    (bundle,) = renewed
    assert bundle.items() <= box._repr_mimebundle_()[0].items()
    assert "stride (5, 1)" in bundle["text/html"]
    # Where no loop runs, at once. In this thread Playwright's may.
    with ThreadPoolExecutor(1) as threads:
        threads.submit(Page(box).send, "reset").result()
    assert "stride (4, 1)" in renewed[-1]["text/html"]
    # Shown once more, it is the same picture that is made anew.
    box._ipython_display_()
    assert names == [None, names[1], None, names[1]]


def test_a_program_can_do_what_the_page_does():
    """`set` and `state`; the page takes it back."""
    box = opened("index")
    box.set(index=(2, 3))
    assert box.state.index == (2, 3)
    assert shown(box)["texts"]["index"] == "2, 3"
    Page(box).send("undo")
    assert box.state.index == (1, 2)
    Page(box).send("redo")
    assert box.state.index == (2, 3)
    box.set(index="0, 0", nonsense=1)
    assert "sk-problem" in shown(box)["message"]
    Page(box).send("reset")
    assert box.state == box.controller.first


def test_the_explorer_in_contributing_works_as_it_is_printed():
    """It is shown, changes, answers as torch does, and starts from a tensor."""
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    code = re.search(r"^## Explorers\n.*?^```python\n(.*?)^```", guide, re.DOTALL | re.MULTILINE)
    printed = ModuleType("printed")
    sys.modules["printed"] = printed  # dataclass looks for the module of its class
    exec(code[1], vars(printed))
    explorer = printed.Double
    box = ExplorerBox(Controller(explorer, explorer.from_layout(sk.zeros(2, 3).layout, 6)))
    box.set(times="3")
    names = {}
    exec(box.state.code(), names)
    assert tuple(names["y"].shape) == (3, 2, 3)
    assert box.controller.shown.truth == str(names["y"].stride())
    assert str(names["y"].stride()) in shown(box)["message"]
    box.set(times="9")
    assert "sk-problem" in shown(box)["message"]
    box.controller.use_nearest()
    assert box.state == printed.Double((2, 3), 8)
