"""Cases that are made ahead of the server, by a process of their own."""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from stridekit_course.checks import exercise as exercises
from stridekit_course.exercises import find
from stridekit_grading.sandbox import batches, known_outcomes, referee
from stridekit_grading.sandbox.channel import Channel, ClosedError, pair

TESTS = (
    "check.isContiguous(isContiguous)",
    "# Hidden.\ncheck.contiguous(contiguous, hidden=True, seed=3303)",
    "check.can_view(can_view, hidden=True)\ncheck.c_strides(c_strides, seed=4)",
    "assert halves([2]) == [1]",
    "this is no Python",
    "check.nobody_knows(this)\ncheck.contiguous(contiguous, seed=chosen)",
    "check.isContiguous(isContiguous, hidden=True)",
)


@contextmanager
def ahead_of_a_server() -> Iterator[tuple[batches.Ahead, Channel]]:
    grader, orders = map(Channel, pair())
    ahead = batches.Ahead(orders)
    orders.close()
    try:
        yield ahead, grader
    finally:
        grader.close()
        ahead.close()


def kept() -> dict[tuple[str, bool, int], Any]:
    return {(each.name, *rest): batch for (each, *rest), batch in exercises._batches.items()}


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exercises, "_batches", {})
    monkeypatch.setattr(referee, "_encoded", {})
    monkeypatch.setattr(known_outcomes, "_rests", {})


def test_what_is_made_ahead_is_what_would_be_made_here() -> None:
    plan = {"secret": "", "tests": [*TESTS], "more": [1, None, "é"]}
    with ahead_of_a_server() as (ahead, grader):
        grader.send(plan)
        assert ahead.plan() == plan
        assert not exercises._batches
        ahead.take()
    taken, lines = kept(), dict(referee._encoded)
    rests = [*known_outcomes._rests.values()]
    # Of two exercises two batches each: what the later one asks beyond the other.
    assert (len(taken), len(rests), len(lines)) == (6, 2, 8)
    exercises._batches.clear()
    referee._encoded.clear()
    known_outcomes._rests.clear()
    batches.make_batches(TESTS)
    assert kept() == taken
    assert [*known_outcomes._rests.values()] == rests
    assert [*referee._encoded.values()] == [*lines.values()]
    assert [line[0] for line in lines.values()][6:] == [rest.cases for _, _, rest in rests]
    # Orders are there for all, for each fork would work them out anew.
    assert all(len(batch.orders) == len(batch.cases) for batch in taken.values())


def test_what_is_taken_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with ahead_of_a_server() as (ahead, grader):
        grader.send({"secret": "", "tests": [TESTS[1]]})
        ahead.plan()
        ahead.take()
    monkeypatch.setattr(exercises, "_made", None)
    batches.make_batches(TESTS[1:2])
    asked = find("contiguous")
    assert asked is not None
    assert asked.batch(hidden=True, seed=3303) is next(iter(exercises._batches.values()))


def test_who_makes_them_may_be_killed() -> None:
    with ahead_of_a_server() as (ahead, grader):
        os.kill(ahead._process, signal.SIGSTOP)
        grader.send({"secret": "", "tests": [*TESTS]})
        os.kill(ahead._process, signal.SIGKILL)
        with pytest.raises(ClosedError):
            ahead.plan()
        ahead.take()
        assert not exercises._batches


def test_what_came_in_part_is_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    made = batches.pickle.dumps
    monkeypatch.setattr(batches.pickle, "dumps", lambda *given: made(*given)[:5000])
    with ahead_of_a_server() as (ahead, grader):
        grader.send({"secret": "", "tests": [*TESTS]})
        ahead.plan()
        ahead.take()
    assert not exercises._batches
    batches.make_batches(TESTS[:1])
    assert len(kept()) == 1


def test_a_grader_that_goes_before_it_says_what_the_tests_are() -> None:
    with ahead_of_a_server() as (ahead, grader):
        # Not closed: the other process was forked with it.
        grader.socket.shutdown(socket.SHUT_RDWR)
        with pytest.raises(ClosedError):
            ahead.plan()
