"""A failed check in a notebook: what stands on the page, in which order, and what is marked."""

import re
import sys
from dataclasses import replace

import IPython
import IPython.display
import pytest

import stridekit as sk
from stridekit_course import check
from stridekit_course.checks.cards import card
from stridekit_course.exercises import CheckFailed


def failed(name, function):
    """What a check raises."""
    with pytest.raises(CheckFailed) as failure:
        check(name, function)
    return failure.value


def marked(name, function):
    """What stands on the card, and what of it is marked."""
    html = card(*failed(name, function).found)
    return html, re.findall(r"<mark[^>]*>(.*?)</mark>", html)


def column_major(size):
    """The other order."""
    stride, step = [], 1
    for n in size:
        stride.append(step)
        step *= max(n, 1)
    return tuple(stride)


def forgets_the_offset(size, stride, storage_offset, dim, index):
    """Wrong in one number."""
    dim = range(len(size))[dim]
    index = range(size[dim])[index]
    rest = tuple((*each[:dim], *each[dim + 1 :]) for each in (size, stride))
    return (*rest, index * stride[dim])


def writes_once(size, stride, storage_offset, storage_length):
    """Wrong wherever something is reached."""
    return [0] * storage_length


def test_sentence_hint_rule_and_picture_stand_in_this_order():
    """As prose."""
    html, _ = marked("c_strides", column_major)
    parts = [
        "<p><code>c_strides((2, 3))</code> returned <code>",
        "</code>; expected <code>(3, 1)</code>.</p>",
        "<strong>Hint.</strong> This is column-major order",
        "<strong>The rule.</strong> The stride of a dim is",
        "<img alt=",
    ]
    places = [html.find(part) for part in parts]
    assert -1 not in places, parts[places.index(-1)]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("name", "rule", "begins"),
    [
        ("c_strides", "a dim of size 1", "A dim"),
        ("shares_memory", "a and b lie apart", "a and b"),
        ("c_strides", "torch's strides", "torch's"),
        ("c_strides", "torch refuses", "torch"),
        ("c_strides", "channels_last is", "channels_last"),
    ],
)
def test_a_rule_begins_with_a_capital_unless_with_a_name(name, rule, begins):
    """`A` would be another tensor."""
    exercise, failure = failed(name, lambda *given: None).found
    html = card(replace(exercise, rule=lambda *given: rule), failure)
    assert f"<strong>The rule.</strong> {begins}" in html


@pytest.mark.parametrize(
    ("name", "function", "marks"),
    [
        ("c_strides", column_major, ["1", "2"]),
        ("c_strides", lambda size: column_major(size[::-1])[::-1][:-1], ["(3,)"]),
        ("c_strides", lambda size: [*column_major(size)], ["[1, 2], a list"]),
        ("c_strides", lambda size: None, ["None"]),
        ("select", forgets_the_offset, ["2"]),
        ("isContiguous", lambda tensor: True, ["True"]),
        ("contiguous", lambda t: t, ["the tensor itself, of stride (1, 2)"]),
        ("c_strides", lambda size: (1 // 0,), []),
    ],
)
def test_what_is_wrong_in_an_answer_is_marked(name, function, marks):
    """The numbers that are not as expected, and no others; or all of what came. A call is code."""
    html, told = marked(name, function)
    assert told == marks
    assert f"<p><code>{name}(" in html


def test_among_many_items_the_first_wrong_one_is_told():
    """Nobody finds it at a glance, and a long list is cut."""

    def wrong(size, stride, storage_offset, storage_length):
        from collections import Counter
        from itertools import product

        reached = Counter(
            storage_offset + sum(map(int.__mul__, index, stride))
            for index in product(*map(range, size))
        )
        return [min(reached[place], 2) for place in range(storage_length)]

    said = str(failed("writes_per_position", wrong))
    assert re.search(r"; expected \[.*: item \d+ is 2, and not 3\.\n", said)
    said = str(failed("reading_order", lambda *header: []))
    assert re.search(r"returned \[\]; expected \[0, [0-9, ]+\]\.\n", said)
    assert "<script>" not in card(*failed("c_strides", lambda size: "<script>").found)


class Kernel:
    """The shell of a notebook."""

    kernel = object()


class Grader:
    """The shell of one who looks at a notebook later."""

    keeps_pictures = True


@pytest.fixture
def shown(monkeypatch):
    """What is displayed."""
    things = []
    monkeypatch.setattr(IPython.display, "display", lambda thing, **_: things.append(thing))
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    return things


def test_on_a_page_the_card_is_shown_and_one_line_is_left_below_it(monkeypatch, shown):
    """The line says how often it is wrong."""
    monkeypatch.setattr(IPython, "get_ipython", Kernel)
    monkeypatch.setenv("JPY_SESSION_NAME", "a.ipynb")
    error = failed("c_strides", column_major)
    assert shown == []
    assert "storage ·" not in str(error)
    (line,) = error._render_traceback_()
    said = r"CheckFailed: c_strides is wrong on \d+ of \d+ cases; seed 20261120\."
    assert re.fullmatch(said, line)
    # A kernel asks twice.
    assert error._render_traceback_() == [line]
    (bundle,) = shown
    assert bundle["text/html"] == card(*error.found)
    assert "storage ·" in bundle["text/plain"]


def test_a_kernel_of_nbconvert_says_all_below_the_card(monkeypatch, shown):
    """Who validates a notebook is shown the lines alone."""
    monkeypatch.setattr(IPython, "get_ipython", Kernel)
    (lines,) = failed("c_strides", column_major)._render_traceback_()
    assert "hint: this is column-major order" in lines
    assert "storage ·" not in lines
    assert len(shown) == 1


def test_a_grader_keeps_the_picture(monkeypatch, shown):
    """What is said stands on the page of feedback."""
    monkeypatch.setattr(IPython, "get_ipython", Grader)
    (lines,) = failed("c_strides", column_major)._render_traceback_()
    assert "rule: the stride of a dim" in lines
    assert [type(thing) for thing in shown] == [sk.Diagram]


@pytest.mark.parametrize("shell", [lambda: None, lambda: sys])
def test_elsewhere_all_is_said_in_lines(monkeypatch, shown, shell):
    """In a terminal, say."""
    monkeypatch.setattr(IPython, "get_ipython", shell)
    said, *picture = failed("c_strides", column_major)._render_traceback_()
    assert "hint: this is column-major order" in said
    assert "storage ·" in "".join(picture)
    assert shown == []


def test_what_has_no_case_is_said_in_a_line(monkeypatch, shown):
    """There is nothing to be shown of it."""
    monkeypatch.setattr(IPython, "get_ipython", Kernel)
    monkeypatch.setenv("JPY_SESSION_NAME", "a.ipynb")

    def calls(size):
        import torch

        return torch.empty(size).stride()

    (line,) = failed("c_strides", calls)._render_traceback_()
    assert line.startswith("CheckFailed: c_strides calls torch.empty in line ")
    assert shown == []
