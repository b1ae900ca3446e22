"""Right work that talks: the stream that a function prints to is an ordinary one."""

import io
import os
import pdb
import sys

import pytest

from stridekit_course import check
from stridekit_course.checks.callee import Case
from stridekit_course.checks.calling import Local
from stridekit_course.checks.streams import KEPT_MOST
from stridekit_course.exercises import EXERCISES, CheckFailed
from tests.bank import solutions
from tests.course.checks.talking import STYLES, talking


@pytest.fixture(autouse=True)
def pythons_own_debugger(monkeypatch):
    """Not pytest's, which stops the capturing."""
    monkeypatch.setattr(pdb, "set_trace", lambda: pdb.Pdb().set_trace())


@pytest.mark.parametrize("name", EXERCISES)
def test_right_work_passes_however_it_talks(name, capfd):
    """In every style, in turn: with one line, and nothing else on the page."""
    right = next(each for each in solutions(function=name) if each.kind == "right")
    check(name, talking(right.load(), *STYLES))
    printed = capfd.readouterr()
    assert printed.out.startswith(f"{name}: right on all ")
    assert printed.out.endswith("cases. (What it printed is not shown.)\n")
    assert printed.out.count("\n") == 1
    assert printed.err == ""


def run(function):
    """What came of one call, and what it printed."""
    run = Local(function).run([Case(())], "plain", closely=True)
    return run.outcomes[0]


@pytest.mark.parametrize("name", ["stdout", "stderr"])
def test_the_stream_is_one_of_pythons_own(name):
    """In its type, and in all that it can be asked."""

    def asks():
        stream = getattr(sys, name)
        assert isinstance(stream, io.TextIOWrapper)
        assert isinstance(stream.buffer, io.BufferedWriter)
        assert stream.encoding == "utf-8"
        assert not stream.closed
        assert not stream.isatty()
        stream.buffer.write(b"as bytes\n")
        os.write(stream.fileno(), b"past it")
        with pytest.raises(io.UnsupportedOperation):
            stream.read()
        print("é \ud800", file=stream)
        return 1

    outcome = run(asks)
    assert (outcome.value, outcome.calls) == (1, ())
    assert outcome.printed == "as bytes\né \\ud800\n"


def test_who_closes_the_stream_is_told_so_where_he_prints_again():
    """As by Python; the check itself goes on."""

    def closes():
        print("before")
        sys.stdout.close()
        print("after")

    outcome = run(closes)
    assert outcome.bases[0] == "ValueError"
    assert outcome.raised == "I/O operation on closed file."
    assert outcome.place.text == 'print("after")'


def test_the_beginning_of_what_is_printed_is_kept():
    """However much it is."""
    outcome = run(lambda: print("x" * 10_000_000))
    assert outcome.printed.startswith("x" * KEPT_MOST)
    assert "cut here" in outcome.printed
    assert len(outcome.printed) < KEPT_MOST + 100


def test_talking_does_not_hide_a_call_of_a_library():
    """It is still seen, in its line."""

    def wrong(size):
        import numpy as np

        print("called", flush=True)
        return tuple(np.empty(size, np.int8).strides)

    with pytest.raises(CheckFailed, match=r"c_strides calls numpy\.empty in line \d+"):
        check.c_strides(talking(wrong, *STYLES))
