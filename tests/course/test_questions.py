"""Questions: what is true, what is said to answers, and what the page may know."""

import ast
import json
import random
from functools import cache

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from stridekit import explain
from stridekit.errors import ArgumentError
from stridekit_course import questions
from stridekit_course import questions as asked
from stridekit_course.questions import bank
from stridekit_course.questions.question import Question, Spot, in_parts, judge, resolved, spelled

DRAWS = 40
KINDS = [(lesson, name) for lesson in questions.LESSONS for name in bank.names(lesson)]


@cache
def drawn(lesson, name):
    """So many of one kind, each that is another one."""
    made = (bank.made(lesson, name, random.Random(seed)) for seed in range(DRAWS))
    return {str(question): question for question in made}.values()


def result(code):
    """What the last line of some code gives."""
    *lines, last = ast.parse(code).body
    known = {"torch": torch, "np": np, "explain": explain}
    exec(compile(ast.Module(lines, []), "question", "exec"), known)
    return eval(compile(ast.Expression(last.value), "question", "eval"), known)


def typed(answer):
    """What somebody chooses and writes who means this answer."""
    if isinstance(answer, bool):
        return {"chosen": spelled(answer)}
    if isinstance(answer, str):
        return {"chosen": answer}
    if isinstance(answer, Spot):
        return {"chosen": spelled(answer.is_so), "written": str(answer.where)}
    return {"written": str(answer)}


@pytest.mark.parametrize(("lesson", "name"), KINDS)
def test_each_question_is_true(lesson, name):
    """Its answer is what its code gives, for many draws; its mistakes are wrong, and told."""
    for question in drawn(lesson, name):
        gave = result(question.code)
        answer = question.answer
        if isinstance(answer, Spot):
            assert tuple(gave) == (answer.is_so, answer.where), question
        else:
            gave = tuple(gave) if isinstance(gave, list | torch.Size) else gave
            assert (type(gave), gave) == (type(answer), answer), question
        told = judge(question, **typed(answer))
        assert told.right is True, question
        assert told.words.startswith("Right: ")
        assert told.code == (question.shown or question.code)
        assert len(told.code.splitlines()) <= 11
        assert max(map(len, told.code.splitlines())) <= 100
        result(told.code)
        for mistake, hint in question.mistakes.items():
            said = judge(question, **typed(mistake))
            assert said.right is False
            assert said.words.endswith(hint)


def test_what_is_called_the_stride_of_a_copy_is_one():
    """Also where a row is expanded, and not a column."""
    for question in drawn(10, "stride-after-expand"):
        of_copy = result(question.code.replace(".stride()", ".contiguous().stride()"))
        assert question.mistakes[of_copy] == "That is the stride of a copy."


@pytest.mark.parametrize(("lesson", "name"), KINDS)
def test_each_question_reads_well(lesson, name):
    """Whole sentences; no answer stands in the question, its hint, or the hints of mistakes."""
    for question in drawn(lesson, name):
        assert question.text.rstrip(")").endswith((".", "?"))
        # Those of `five` come in any order.
        assert not (bank.is_drawn(lesson, name) and question.text.startswith("The same"))
        # Its first letter becomes a capital, which torch has not.
        assert not question.reason.startswith("torch")
        for words in (question.reason, question.hint, *question.mistakes.values()):
            assert words.endswith((".", "?")), words
            assert words.count("`") % 2 == 0
        assert question.hint[0].isupper() or question.hint[0] == "`"
        if isinstance(question.answer, tuple) and not isinstance(question.answer, Spot):
            for words in (question.hint, *question.mistakes.values()):
                assert str(question.answer) not in words, question


@pytest.mark.parametrize("lesson", questions.LESSONS)
def test_a_bank_holds_more_than_is_asked(lesson):
    """Seven kinds at least, and draws differ."""
    kinds = next(questions.some(lesson, 1000, 1))
    assert len(kinds) >= 7
    first, second = (next(questions.some(lesson, 5, seed)) for seed in (1, 2))
    assert [each.text for each in first] != [each.text for each in second]
    assert [each.text for each in next(questions.some(lesson, 5, 1))] == [
        each.text for each in first
    ]
    assert len({each.text for each in first}) == 5


NUMBER = Question("How many?", 12000, "so many.", "Count.", "12000")
SIZE = Question("Which size?", (3, 4), "it is.", "Look.", "(3, 4)", mistakes={(4, 3): "Turn it."})
CHOICE = Question("Which?", "b", "it is.", "Look.", "'b'", ("a", "b"))
YES = Question("Is it?", True, "it is.", "Look.", "True")
CODE = Question("Which?", "x.t()", "it is.", "Look.", "'x.t()'", ("x.t()", "torch.cat(x)"))
DIM = Question("Does it fit?", Spot(False, 1, rank=3), "no.", "Look.", "(False, 1)")
WHERE = Question("Does it merge?", Spot(False, 1), "no.", "Look.", "(False, 1)")


@pytest.mark.parametrize(
    ("question", "said", "right", "words"),
    [
        (NUMBER, {"written": "12000"}, True, "Right: 12,000. So many."),
        (NUMBER, {"written": " 12,000 "}, True, "Right"),
        (NUMBER, {"written": "12_000"}, True, "Right"),
        (NUMBER, {"written": "12 000"}, True, "Right"),
        (NUMBER, {"written": "(12000,)"}, True, "Right"),
        (NUMBER, {"written": "12,000 bytes"}, True, "Right"),
        (NUMBER, {"written": "1 Element"}, False, "1 is not it."),
        *((NUMBER, {"written": it}, None, "Write one") for it in ("12000 bits", "bytes", "12 k")),
        # As languages write it: a narrow space, an apostrophe, digits of full width.
        (NUMBER, {"written": "12\u202f000"}, True, "Right"),
        (NUMBER, {"written": "+12’000"}, True, "Right"),
        (NUMBER, {"written": "１２０００"}, True, "Right"),
        (NUMBER, {"written": "12000²"}, None, "Write one whole number"),
        (NUMBER, {"written": "11"}, False, "11 is not it. Count."),
        (NUMBER, {"written": "1, 2"}, None, "Write one whole number first, such as 12."),
        (NUMBER, {"written": ""}, None, "Write one whole number"),
        (NUMBER, {"written": "1.5"}, None, "Write one whole number"),
        (NUMBER, {"written": "9" * 5000}, None, "Write one whole number"),
        (SIZE, {"written": "3, 4"}, True, "Right: (3, 4)."),
        (SIZE, {"written": "torch.Size([3, 4])"}, True, "Right"),
        (SIZE, {"written": "3x4"}, True, "Right"),
        (SIZE, {"written": "（３，４）"}, True, "Right"),
        (SIZE, {"written": "4 3"}, False, "(4, 3) is not it. Turn it."),
        (SIZE, {"written": "-3 −4"}, False, "(-3, -4) is not it. Look."),
        (SIZE, {"written": "()"}, False, "() is not it."),
        *((SIZE, {"written": it}, None, "Write whole") for it in ("x", ", ,", "size", "{}")),
        (SIZE, {"written": "three"}, None, "Write whole numbers with commas between them first"),
        (CHOICE, {"chosen": "b"}, True, 'Right: "b".'),
        (CHOICE, {"chosen": "a"}, False, '"a" is not it. Look.'),
        (CHOICE, {"chosen": ""}, None, "Choose one first."),
        (CHOICE, {"chosen": "c"}, None, "Choose one first."),
        (YES, {"chosen": "yes"}, True, "Right: yes. It is."),
        (YES, {"chosen": "no"}, False, '"No" is not it. Look.'),
        (WHERE, {"chosen": "no", "written": "1"}, True, "Right: no, 1. No."),
        (
            WHERE,
            {"chosen": "no", "written": "0"},
            False,
            '"No" is right, but the number is not. Look.',
        ),
        (WHERE, {"chosen": "yes", "written": "1"}, False, "Yes, 1 is not it. Look."),
        (DIM, {"chosen": "no", "written": "-2"}, True, "Right: no, 1. No."),
        (
            DIM,
            {"chosen": "no", "written": "-5"},
            False,
            '"No" is right, but the number is not. Look.',
        ),
        (CODE, {"chosen": "torch.cat(x)"}, False, "`torch.cat(x)` is not it. Look."),
        (CODE, {"chosen": "x.t()"}, True, "Right: `x.t()`."),
        (WHERE, {"chosen": "yes"}, None, "Write one whole number"),
    ],
)
def test_what_is_said(question, said, right, words):
    """The hint after a wrong try, the reason after a right one, and what cannot be read."""
    told = judge(question, **said)
    assert told.right is right
    assert told.words.startswith(words)
    assert bool(told.code) is (right is True)


@given(st.sampled_from([NUMBER, SIZE, CHOICE, YES, WHERE]), st.text(max_size=40), st.text())
def test_anything_may_be_written(question, written, chosen):
    """Nothing passes for an answer by accident, and nothing raises."""
    told = judge(question, chosen, written)
    assert told.right in (True, False, None)
    assert told.words


@pytest.mark.parametrize(
    "wrong",
    [
        {"answer": "c", "options": ("a", "b")},
        {"answer": "a"},
        {"answer": 3, "options": ("a", "b")},
        {"answer": (1, 2), "mistakes": {(1, 2): "?"}},
    ],
)
def test_questions_that_nobody_could_answer(wrong):
    """They are refused where they are written."""
    with pytest.raises(ValueError, match=r"option|mistake"):
        Question(**{"text": "?", "reason": "?", "hint": "?", "code": "0", **wrong})


@pytest.mark.parametrize("name", ["03/nothing", "99/x", "x", "", "03", None])
def test_no_such_question(name):
    """It says which there are."""
    with pytest.raises(
        ArgumentError, match=r"ask: there is no question .*(has first-five|such as|03/first-five)"
    ):
        asked.ask(name)


def test_a_lesson_is_no_question():
    """Its number, as `five` takes it, leads to those that it has."""
    with pytest.raises(ArgumentError, match=r"no question 3\. Lesson 3 has 3/first-five, "):
        asked.ask(3)


@pytest.mark.parametrize("lesson", [17, 3.0, "3"])
def test_no_such_lesson(lesson):
    """Lessons are numbered, by whole numbers."""
    with pytest.raises(ArgumentError, match=f"there is no lesson {lesson!r}"):
        asked.five(lesson)


def on_page(box):
    """All that the page is sent."""
    return json.dumps(box.get_state(["asked", "told", "others"]))


def test_the_page_does_not_know_the_answer():
    """Before a try; after a wrong one neither."""
    box = asked.ask("03/columns-stride")
    assert "(1, 3)" not in on_page(box)
    assert box.answer(0, written="3, 1").right is False
    assert "(1, 3)" not in on_page(box)
    assert "is for dim 0" in on_page(box)
    assert box.answer(0, written="1, 3").right
    assert "(1, 3)" in on_page(box)


def test_what_the_page_may_ask():
    """An answer, to be told, other questions; whatever else it says changes nothing."""
    box = asked.five(3, seed=1)
    first = box.questions
    before = on_page(box)
    for nonsense in (
        {},
        {"do": "answer"},
        {"do": "answer", "number": 9},
        {"do": "show", "number": "0"},
    ):
        box._heard(box, nonsense, [])
    assert on_page(box) == before
    box._heard(box, {"do": "show", "number": 0}, [])
    assert box.told[0]["words"] == [[*part] for part in in_parts(resolved(first[0]))] or box.told[0]
    box._heard(box, {"do": "draw"}, [])
    assert box.questions != first
    assert box.told == [None] * 5
    one = asked.ask("03/first-five")
    one._heard(one, {"do": "draw"}, [])
    assert one.questions[0].answer == (0, 4, 8, 1, 5)


def test_without_a_kernel_there_is_the_closed_box():
    """In an exported page."""
    bundle = asked.ask("03/first-five")._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    page = data["text/html"]
    assert page.count("<details>") == 1
    assert "<code>columns</code>" in page
    assert "(0, 4, 8, 1, 5)" in page.split("<details>")[1]
    assert "(0, 4, 8, 1, 5)" not in page.split("<details>")[0]
    assert repr(asked.ask("03/first-five")) == data["text/plain"]
    assert "columns" in data["text/plain"]
