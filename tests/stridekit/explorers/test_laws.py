"""Whatever is done with an explorer, its state is valid, and what it shows is what torch says."""

import copy
import html
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stridekit.explorers import EXPLORERS
from stridekit.explorers.controller import Controller
from stridekit.explorers.explorer import PictureCell
from stridekit.explorers.fields import Button, Choice, MisreadError, TextField
from stridekit.explorers.markup import message_html
from tests.stridekit.explorers.oracles import agree

each_explorer = pytest.mark.parametrize("name", EXPLORERS)

small = st.sampled_from((0, 1, 1, 2, 2, 3, 4, 5))
numbers = st.lists(small, max_size=4).map(lambda ns: ", ".join(map(str, ns)))
signed = st.lists(st.integers(-5, 5), max_size=4).map(lambda ns: ", ".join(map(str, ns)))
strides = st.lists(st.integers(0, 12), max_size=4).map(lambda ns: ", ".join(map(str, ns)))
slips = st.sampled_from(("", "-1", "x", "3, x", "7 7 7 7 7 7 7", "99999", "1" * 30, "600", "-0"))
bound = st.one_of(st.just(""), st.integers(-6, 6).map(str))
items = st.one_of(
    st.integers(-5, 5).map(str),
    st.tuples(bound, bound).map(":".join),
    st.tuples(bound, bound, st.sampled_from(("1", "2", "3", "-1", "-2", "0"))).map(":".join),
    st.sampled_from(("None", "...", ":", "1:", "::-1")),
)
keys = st.lists(items, max_size=4).map(", ".join)
dims = st.permutations(range(4)).flatmap(
    lambda order: st.sampled_from((", ".join(map(str, order)), "1, 0", "0", "", "-1, 0", "0, 2, 1"))
)
FIELDS = {
    "size": numbers, "stride": strides, "storage_offset": small.map(str), "index": signed,
    "storage_length": st.integers(0, 30).map(str), "new_size": st.one_of(numbers, signed),
    "dims": dims, "key": keys, "a": numbers, "b": numbers, "c": numbers,
    "value": st.integers(-200, 200).map(str), "visit": st.integers(0, 40).map(str),
    "pixel": st.one_of(signed, st.sampled_from(("30, 48", "63 95", ""))),
    # Those that programs alone can set.
    "to_go": small.map(str),
    "deeds": st.lists(st.sampled_from((
        "y = x.t()", "z = x.clone()", "y = x.numpy()", "z = y[1]", "x.resize_(2, 2)", "y[0] = 7",
        "x[1, -1] = 5", "u = y.flatten()", "y = x.sum()",
    )), max_size=4).map("\n".join),
}  # fmt: skip
# Anything that a page might say is taken hold of, whether it is there or not.
cells = st.builds(
    PictureCell,
    st.integers(0, 2),
    st.sampled_from(("x", "y", "z", "as it is meant", "as it is read")),
    st.one_of(st.none(), st.lists(st.integers(0, 4), max_size=4).map(tuple)),
    st.integers(0, 30),
)
edges = st.tuples(*[st.integers(0, 6)] * 3)


def actions(explorer):
    """Anything that somebody can do."""
    choices = [st.just((each, None)) for each in ("reset", "use_nearest", "undo", "redo")]
    choices.append(st.sampled_from(("12", "yes", "(3, 4)", "x, y", "?", "")).map(_named("guess")))
    for control in explorer.controls:
        if isinstance(control, TextField):
            typed = st.one_of(FIELDS[control.name], FIELDS[control.name], slips)
            choices.append(st.tuples(st.just(control.name), typed).map(_named("type_in")))
            choices.append(typed.map(_named("set", control.name)))
            choices.append(typed.map(_named("set", control.name)))
        elif isinstance(control, Choice):
            choices.append(st.sampled_from(control.options).map(_named("set", control.name)))
        elif isinstance(control, Button):
            choices.append(st.just(("press", control.name)))
    choices += [cells.map(_named("pick")), edges.map(_named("drag"))]
    return st.lists(st.one_of(choices), min_size=1, max_size=8)


def _named(action, field=None):
    return lambda value: (action, {field: value} if field else value)


def act(controller, action, argument):
    """Do one thing."""
    if action == "set":
        controller.set(**argument)
    elif action in ("type_in", "drag"):
        getattr(controller, action)(*argument)
    elif argument is None:
        getattr(controller, action)()
    else:
        getattr(controller, action)(argument)


def check(controller, before):
    """The laws that hold whatever was done; `before` is the state that stood before."""
    state, problem = controller.state, controller.problem
    state.check()
    message = message_html(controller)
    if problem is None:
        assert "sk-problem" not in message
        # The fields say what the state is: typed again, they make it again.
        standing = controller.texts()
        assert state.read(standing) == state
    else:
        assert state == before
        for sentence in (problem.what, problem.why):
            assert re.fullmatch(r".+\.", sentence, re.DOTALL), sentence
            assert not sentence.endswith("..")
            assert html.escape(sentence, quote=False).replace("\n", "<br>") in message
        assert problem.nearest
        assert "<b>Works:</b> " in message
        assert "sk-problem" in message
        # The way out leads out.
        mended = copy.copy(controller)
        mended.use_nearest()
        assert mended.problem is None
        if problem.nearest == "what is shown":
            assert mended.state.code() == state.code()


@each_explorer
def test_any_sequence_of_actions_keeps_the_laws(name):
    """After each of them the state is valid, and torch and NumPy say what is shown."""
    explorer = EXPLORERS[name]

    @settings(max_examples=60)
    @given(actions(explorer), st.booleans())
    def holds(doings, predict):
        controller = Controller(explorer, predict=predict)
        for action, argument in doings:
            before = controller.state
            act(controller, action, argument)
            check(controller, before)
            if controller.state is not before:
                agree(controller)
        controller.reset()
        assert controller.state == controller.first == explorer()
        assert controller.problem is None

    holds()


@each_explorer
def test_the_first_state_is_worth_looking_at(name):
    """It agrees with torch, asks something, and has a picture."""
    controller = Controller(EXPLORERS[name])
    agree(controller)
    assert controller.problem is None
    assert controller.shown.question.endswith(("?", "."))
    assert controller.shown.truth
    assert controller.shown.diagram


@pytest.mark.parametrize(
    ("name", "control", "option"),
    [
        (name, control.name, option)
        for name, explorer in EXPLORERS.items()
        for control in explorer.controls
        if isinstance(control, Choice)
        for option in control.options
    ],
)
def test_every_option_works_or_says_what_does(name, control, option):
    """Chosen in the first state."""
    controller = Controller(EXPLORERS[name])
    before = controller.state
    controller.set(**{control: option})
    check(controller, before)
    agree(controller)


@each_explorer
def test_every_button_works_many_times(name):
    """From the first state on, round and round."""
    for control in EXPLORERS[name].controls:
        if isinstance(control, Button):
            controller = Controller(EXPLORERS[name])
            for _ in range(30):
                before = controller.state
                controller.press(control.name)
                check(controller, before)
            agree(controller)


@each_explorer
def test_a_field_spells_what_it_reads(name):
    """And reads what it spells."""
    explorer = EXPLORERS[name]
    for control in explorer.controls:
        if isinstance(control, TextField):
            value = getattr(explorer(), control.name)
            assert control.read(control.spell(value)) == value


@each_explorer
def test_what_is_no_name_or_no_option_is_refused(name):
    """With what there is, and without an exception."""
    controller = Controller(EXPLORERS[name])
    for wrong in ({"nonsense": 1}, {"state": 2}, {"size": object()}, {"preset": [1]}):
        before = controller.state
        controller.set(**wrong)
        assert controller.problem is not None
        check(controller, before)
        controller.reset()
    controller.press("nonsense")
    assert "There is no button nonsense." in controller.problem.what


@each_explorer
def test_a_problem_goes_when_it_is_mended(name):
    """By typing, by what works, by Reset; and several fields may be wrong on the way."""
    explorer = EXPLORERS[name]
    field = next(each for each in explorer.controls if isinstance(each, TextField))
    good = field.spell(getattr(explorer(), field.name))
    for mend in (
        lambda c: c.set(**{field.name: good}), lambda c: c.use_nearest(), lambda c: c.reset()
    ):  # fmt: skip
        controller = Controller(explorer)
        for wrong in ("3, x", "nonsense", "9" * 50):
            controller.set(**{field.name: wrong})
            assert controller.problem is not None
            assert controller.texts()[field.name] == wrong
            check(controller, explorer())
        mend(controller)
        assert controller.problem is None
        assert "sk-problem" not in message_html(controller)
        agree(controller)


def test_several_fields_wait_for_each_other():
    """A size and a stride of other numbers of dims, one typed after the other."""
    controller = Controller(EXPLORERS["permute"])
    controller.set(stride="4, 1")
    assert "2" in controller.problem.what
    controller.set(size="3, 4")
    assert controller.problem is None
    assert (controller.state.size, controller.state.stride) == ((3, 4), (4, 1))


def test_what_works_keeps_what_was_typed_beside_it():
    """The size was right; only the index is pulled inside."""
    controller = Controller(EXPLORERS["index"])
    controller.set(size="7, 2", stride="2, 1", index="9, 9")
    assert controller.problem.nearest == "index (6, 1)"
    controller.use_nearest()
    assert controller.state.size == (7, 2)
    assert controller.state.index == (6, 1)


def test_without_a_problem_what_works_changes_nothing():
    """The button is hidden then; a program may still press it."""
    controller = Controller(EXPLORERS["index"])
    controller.use_nearest()
    assert controller.state == controller.first


def test_a_refused_start_says_what_works():
    """As an exception, for it comes from a program."""
    with pytest.raises(MisreadError, match=r"Works: size \(8, 50\)|Works: size") as refused:
        Controller(EXPLORERS["reshape"], {"size": (100, 50), "stride": (50, 1)})
    problem = refused.value
    Controller(EXPLORERS["reshape"], problem.changes)
