"""Keys in a field, Undo and Redo."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stridekit.explorers import EXPLORERS
from stridekit.explorers.controller import Controller
from stridekit.explorers.fields import TextField
from tests.stridekit.explorers.test_laws import FIELDS, act, actions

each_explorer = pytest.mark.parametrize("name", EXPLORERS)


def keys(controller, name, text):
    """Type a text over what stands in a field, key by key."""
    for end in range(1, len(text) + 1):
        controller.type_in(name, text[:end], begins=end == 1)


@each_explorer
def test_what_was_typed_in_the_end_decides(name):
    """Whatever stood in the field on the way, the state is that of the text alone."""
    explorer = EXPLORERS[name]
    fields = [each.name for each in explorer.controls if isinstance(each, TextField)]
    typed = st.sampled_from(fields).flatmap(lambda field: st.tuples(st.just(field), FIELDS[field]))

    @settings(max_examples=60)
    @given(st.lists(typed, min_size=1, max_size=5), st.lists(st.text("0123, -x", max_size=6)))
    def holds(doings, on_the_way):
        slowly, at_once = Controller(explorer), Controller(explorer)
        for field, text in doings:
            before = slowly.state
            for number, stop in enumerate([*on_the_way, text]):
                slowly.type_in(field, stop, begins=number == 0)
            at_once.type_in(field, text, begins=True)
            if slowly.problem is None:
                assert slowly.state == at_once.state
            else:
                # The last valid state is one of those on the way; the next field starts from there.
                assert at_once.problem is not None
                at_once.undo()
                slowly.undo()
                assert slowly.state == before == at_once.state

    holds()


def test_a_size_that_is_typed_keeps_dims_and_strides_that_still_fit():
    """It has one dim, or none, for a moment."""
    controller = Controller(
        EXPLORERS["permute"], {"size": (4, 3), "stride": (1, 4), "dims": (1, 0)}
    )
    keys(controller, "size", "5, 3")
    assert (controller.state.size, controller.state.stride) == ((5, 3), (1, 4))
    assert controller.state.dims == (1, 0)
    keys(controller, "size", "5, 3, 2")
    assert controller.state.dims == (1, 0, 2)
    controller = Controller(EXPLORERS["index"], {"index": (2, 3)})
    keys(controller, "size", "5, 6")
    assert controller.state.index == (2, 3)


def test_an_edit_is_one_step_for_undo():
    """However many keys; and Redo brings all of it back."""
    controller = Controller(EXPLORERS["strides"])
    keys(controller, "stride", "50, 1")
    keys(controller, "size", "2, 2")
    after = controller.state
    controller.undo()
    assert controller.state.stride == (50, 1)
    assert controller.state.size == (3, 4)
    controller.undo()
    assert controller.state == controller.first
    assert not controller.can_undo
    controller.redo()
    controller.redo()
    assert controller.state == after
    assert not controller.can_redo


def test_undo_takes_back_what_is_not_valid_first():
    """The text goes, and with it the keys that led to it."""
    controller = Controller(EXPLORERS["strides"])
    keys(controller, "stride", "5, 1")
    keys(controller, "stride", "?")
    assert controller.problem is not None
    controller.undo()
    assert controller.problem is None
    assert controller.texts()["stride"] == "5, 1"
    keys(controller, "stride", "7, 1, x")
    controller.undo()
    assert controller.state.stride == (5, 1)


@each_explorer
def test_undo_leads_back_all_the_way_and_redo_forth(name):
    """Through every state that was shown, after whatever was done."""
    explorer = EXPLORERS[name]

    @settings(max_examples=40)
    @given(actions(explorer))
    def holds(doings):
        controller = Controller(explorer)
        for action, argument in doings:
            act(controller, action, argument)
        if controller.problem is not None:
            controller.undo()
        last, steps = controller.state, 0
        while controller.can_undo:
            controller.undo()
            controller.state.check()
            steps += 1
        assert controller.state == controller.first
        while controller.can_redo:
            controller.redo()
            steps -= 1
        if steps == 0:
            assert controller.state == last

    holds()


def test_the_past_has_no_end():
    """Undo leads back to the first state, over as many steps as there were."""
    controller = Controller(EXPLORERS["sharing"])
    for number in range(1, 600):
        controller.set(value=number)
    seen = []
    while controller.can_undo:
        controller.undo()
        seen.append(controller.state.value)
    assert seen == [*range(598, 0, -1), 100]


@each_explorer
def test_back_in_a_state_all_is_as_it_was(name):
    """Undo and Redo lead to what was said and drawn there before."""
    explorer = EXPLORERS[name]
    controller = Controller(explorer)

    def told():
        return controller.shown.summary, controller.shown.diagram.text()

    first = told()
    typed = next(
        (each.name, text)
        for each in explorer.controls
        if isinstance(each, TextField)
        for text in ("2, 1", "1")
        if _leads_on(explorer, each.name, text)
    )
    keys(controller, *typed)
    second = told()
    assert second != first
    for _ in range(3):
        controller.undo()
        assert told() == first
        controller.redo()
        assert told() == second


def _leads_on(explorer, name, text):
    controller = Controller(explorer)
    keys(controller, name, text)
    return controller.problem is None and controller.state != controller.first
