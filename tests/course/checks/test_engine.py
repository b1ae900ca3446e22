"""The check of a function: what it says of right work, wrong work, and odd work."""

import bdb
import builtins
import contextlib
import functools
import io
import logging
import re
import signal
import sys
import threading
import time
import warnings
from enum import IntEnum
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from stridekit.errors import ArgumentError
from stridekit.layouts.layout import Layout
from stridekit_course import check
from stridekit_course.checks import limits
from stridekit_course.checks.callee import Case, Outcome, TensorData
from stridekit_course.checks.calling import ALONE, Local
from stridekit_course.checks.cards import card
from stridekit_course.checks.engine import check as run_check
from stridekit_course.checks.exercise import SEED, Exercise, Refusal
from stridekit_course.checks.limits import Limits
from stridekit_course.checks.messages import Failure
from stridekit_course.checks.strategies import tensor_data
from stridekit_course.exercises import ASSIGNMENTS, EXERCISES, CheckFailed, UnknownExerciseError
from tests.bank import solutions


def c_strides(size):
    """Right."""
    stride, step = [], 1
    for n in reversed(size):
        stride.insert(0, step)
        step *= max(n, 1)
    return tuple(stride)


def is_contiguous(tensor):
    """Right."""
    if tensor.numel() == 0:
        return True
    expected = 1
    for n, step in list(zip(tensor.size(), tensor.stride(), strict=True))[::-1]:
        if n != 1 and step != expected:
            return False
        expected *= n
    return True


def contiguous(tensor):
    """Right."""
    if is_contiguous(tensor):
        return tensor
    return torch.empty(tensor.size(), dtype=tensor.dtype).copy_(tensor)


def message(name, function, **options):
    """What a learner is told."""
    with pytest.raises(CheckFailed) as failure:
        check(name, function, **options)
    return str(failure.value)


def test_right_work_prints_one_line(capsys):
    """And nothing on stderr; the check gives None."""
    assert check.c_strides(c_strides) is None
    printed = capsys.readouterr()
    assert printed.out.startswith("c_strides: right on all ")
    assert printed.out.count("\n") == 1
    assert printed.err == ""


def test_a_failure_says_call_returned_expected_hint_rule_case_and_picture():
    """In this order."""
    parts = [
        "c_strides((2, 3)) returned (1, 2); expected (3, 1).",
        "\n  hint: this is",
        "\n  rule: the stride of a dim is",
        "\n  (wrong on ",
        " cases; seed 20261120)",
        "expected · size (2, 3) · stride (3, 1)",
        "yours · size (2, 3) · stride (1, 2)",
    ]
    said = message("c_strides", lambda size: c_strides(size[::-1])[::-1])
    places = [said.find(part) for part in parts]
    assert -1 not in places, parts[places.index(-1)]
    assert places == sorted(places)


def test_the_smallest_counterexample_comes_first():
    """Two elements are enough to show that strides were forgotten."""
    said = message("isContiguous", lambda t: True)
    assert "with tensor of size (2,), stride (2,), returned True; expected False." in said
    assert "try it: tensor = torch.arange(3).as_strided((2,), (2,))" in said
    assert "storage · 3 elements of 8 bytes" in said


def test_the_recipe_makes_the_tensor_that_failed():
    """What the message offers to try can be run."""
    said = message("contiguous", lambda t: t)
    recipe = next(line for line in said.splitlines() if "try it:" in line)
    names = {"torch": torch}
    exec(recipe.split("try it: ")[1], names)
    assert not names["tensor"].is_contiguous()


def test_the_seed_chooses_the_random_cases_and_is_in_the_message():
    """So that an instructor can see the same case again."""
    exercise = EXERCISES["c_strides"]
    one, again, two = (set(exercise.all_cases(hidden=True, seed=seed)) for seed in (1, 1, 2))
    assert one == again
    assert one != two
    assert "seed 77)" in message("c_strides", lambda size: (), seed=77)
    # Of a hidden check nobody is told the seed.
    assert "seed" not in message("c_strides", lambda size: (), hidden=True, seed=77)


# Manners: each has a sentence of its own.


class Colour(IntEnum):
    """Numbers with names."""

    ONE = 1


def mutates(tensor):
    """Writes where it may not."""
    tensor.fill_(7)
    return contiguous(tensor)


def changes_the_header(tensor):
    """In place, which is a change too."""
    return tensor.t_() if tensor.dim() == 2 else contiguous(tensor)


def recurses(size):
    """For ever."""
    return recurses(size)


def asks_for_input(size):
    """Nobody is there."""
    return input("size? ")


def imports_what_is_not_there(size):
    """Python says where the module lies, too."""
    from math import product

    return product(size)


async def coroutine(size):
    """A function that was to be one."""
    return c_strides(size)


def returns_an_error(size, stride, storage_offset, dim, index):
    """Right, but for what it does with an exception."""
    if dim not in range(-len(size), len(size)):
        return IndexError
    if index not in range(-size[dim], size[dim]):
        return IndexError(f"there is no index {index}")
    at, place = dim % len(size), index % size[dim]
    rest = tuple((*each[:at], *each[at + 1 :]) for each in (size, stride))
    return (*rest, storage_offset + place * stride[at])


def swallows(size):
    """`except Exception` does not stop the clock."""
    while True:
        with contextlib.suppress(Exception):
            size = (*size[:3],)


MANNERS = [
    ("c_strides", lambda s: (_ for _ in ()).throw(NotImplementedError), "is not written yet"),
    ("c_strides", lambda s: list(c_strides(s)), "a list. Return a tuple of ints: tuple(...) makes"),
    ("c_strides", lambda s: None, "returned None. Return a tuple of ints. Is a `return` missing?"),
    (
        "c_strides",
        lambda s: tuple(map(np.int64, c_strides(s))),
        "np.int64(3), of NumPy's type int64",
    ),
    (
        "c_strides",
        lambda s: tuple(map(float, c_strides(s))),
        "one item is 3.0, a float. It should be an int: //",
    ),
    (
        "c_strides",
        lambda s: tuple(n if n > 1 else True for n in c_strides(s)),
        "True, a bool. It should be an int",
    ),
    ("c_strides", lambda s: (n for n in c_strides(s)), "of type generator. Return a tuple of ints"),
    ("c_strides", lambda s: c_strides, "a function. Return a tuple of ints: are its parentheses"),
    ("c_strides", lambda s: tuple, "a class. Return a tuple of ints: are its parentheses"),
    ("c_strides", lambda s: {1}, "of type set. Return a tuple"),
    ("c_strides", lambda s: "(1,)", "'(1,)', a str. Return a tuple of ints"),
    (
        "c_strides",
        lambda s: (10**400,),
        "one item is a number of over 300 digits: too large for any answer here. Expected here: ",
    ),
    (
        "c_strides",
        lambda s: (0,) * 100_001,
        "returned a tuple of 100,001 items: too large for any answer here. Expected here: (3, 1).",
    ),
    ("c_strides", lambda s: 1 / 0, "raised ZeroDivisionError: division by zero; expected ()"),
    (
        "position",
        lambda index, stride: 0,
        "position does not take the arguments that it is given: <lambda>() takes 2 positional "
        "arguments but 3 were given. Begin it with `def position(index, stride, storage_offset):`.",
    ),
    ("broadcast_sizes", lambda *, a: (), "Begin it with `def broadcast_sizes(*sizes):`."),
    ("c_strides", asks_for_input, "raised EOFError: nobody answers input() while a function is"),
    ("c_strides", imports_what_is_not_there, "cannot import name 'product' from 'math', in line"),
    ("c_strides", coroutine, "for it is an `async def`. Write `def`, and return a tuple of ints."),
    ("select", returns_an_error, "expected an IndexError, because "),
    ("select", returns_an_error, "Write `raise` in place of `return`."),
    ("c_strides", lambda s: sys.exit(3), "raised SystemExit: 3; expected ()"),
    ("c_strides", recurses, "calls itself too deeply, until Python gives up"),
    ("isContiguous", lambda t: int(is_contiguous(t)), "returned 0, of type int. Return a bool"),
    ("isContiguous", lambda t: np.bool_(is_contiguous(t)), "of NumPy's type bool. Return a bool"),
    (
        "isContiguous",
        lambda t: torch.tensor(1),
        "isContiguous calls torch.tensor in line ",
    ),
    (
        "isContiguous",
        lambda t: t.tolist() == 0,
        "isContiguous calls tolist in line ",
    ),
    ("isContiguous", lambda t: getattr(t, "is_" + "contiguous")(), "called Tensor.is_contiguous"),
    ("isContiguous", lambda t: None if isinstance(t, torch.Tensor) else 1, "returned None"),
    (
        "isContiguous",
        lambda t: isinstance(t, torch.Tensor) and is_contiguous(t),
        "stridekit tensor",
    ),
    ("contiguous", mutates, "changed tensor itself. Leave the argument as it was given."),
    ("contiguous", changes_the_header, "changed tensor itself"),
    ("contiguous", lambda t: [t], "Return a torch tensor"),
    ("contiguous", lambda t: t.to_sparse(), "Return a torch tensor with strides"),
    ("reshape", lambda *_: torch.nested.nested_tensor([]), "Return a torch tensor with strides"),
    ("contiguous", lambda t: torch.empty(2, device="meta"), "Return a torch tensor with strides"),
    ("inplace_verdict", lambda *header: "safe" * 10**5, "…. Return one of the strings"),
]


@pytest.mark.parametrize(("name", "function", "fragment"), MANNERS)
def test_odd_work_has_a_sentence(name, function, fragment, capsys):
    """Whatever came back: and nothing of it stops the check itself."""
    assert fragment in message(name, function)
    assert capsys.readouterr() == ("", "")


def test_a_forgotten_function_or_exercise_is_said():
    """With what to write."""
    with pytest.raises(ArgumentError, match=r"Write check\.c_strides\(your_function\)\.$"):
        check.c_strides()
    with pytest.raises(ArgumentError, match=r"a function: check\.c_strides\(your_function\)\.$"):
        check("c_strides")

    def isContiguous(size, stride):  # noqa: N802 - the exercise's name
        return True

    with pytest.raises(ArgumentError, match=r"a function: check\.isContiguous\(your_function"):
        check(isContiguous)


@pytest.mark.parametrize("thing", [None, 3, "isContiguous"])
def test_what_is_no_function_is_named(thing):
    """Such as a name that a later cell has used for something else."""
    assert "and a function is asked for" in message("isContiguous", thing)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("isContigous", "isContiguous"),
        ("is_contiguous", "isContiguous"),
        ("C_Strides", "c_strides"),
        ("cstride", "c_strides"),
    ],
)
def test_an_unknown_exercise_is_named(name, meant):
    """With those that there are; capitals and underscores count least."""
    with pytest.raises(UnknownExerciseError, match=rf"'{name}'\. Did you mean {meant}\?"):
        getattr(check, name)(is_contiguous)
    assert dir(check) == sorted(EXERCISES)
    assert repr(check.contiguous) == "check.contiguous(your_function)"
    assert repr(check).startswith("check.NAME(your_function)")


# A function that does not return.


def endless(size):
    """Computes."""
    while True:
        pass


def sleeping(size):
    """Waits."""
    threading.Event().wait()


@pytest.mark.parametrize("function", [endless, swallows])
def test_a_call_that_does_not_return_is_stopped(function):
    """By a signal."""
    local = Local(function, Limits(computing=0.2))
    said = r"c_strides\(\(\)\) does not return in time: it was stopped after .* Look for a loop or"
    with pytest.raises(CheckFailed, match=said):
        run_check(EXERCISES["c_strides"], local)


def test_who_is_stopped_while_memory_is_measured_hears_of_that_limit():
    """It is ten times as long, for each step is looked at."""

    class Endless(Local):
        """What never returns with large images."""

        def run(self, cases, watch, *, closely=False):
            run = super().run(cases, watch, closely=closely)
            at = next((n for n, case in enumerate(cases) if case.measured), len(cases))
            stopped = [Outcome("stopped", raised="call")] * (at < len(cases))
            return run._replace(outcomes=(*run.outcomes[:at], *stopped))

    right = next(each for each in solutions("ps6", "load_image") if each.kind == "right")
    with pytest.raises(CheckFailed, match="stopped after 25 seconds of computing"):
        run_check(EXERCISES["load_image"], Endless(right.load()))


def test_a_call_that_waits_is_told_so():
    """Nobody looks for a loop then."""
    said = r"c_strides\(\(\)\) does not return in time: it was stopped. It did not compute, either"
    with pytest.raises(CheckFailed, match=said):
        run_check(EXERCISES["c_strides"], Local(sleeping, Limits(wall=0.5)))


@pytest.mark.parametrize("function", [endless, swallows])
def test_a_call_off_the_main_thread_is_stopped_too(function):
    """There, and on Windows, there is no signal."""
    said = []

    def run():
        local = Local(function, Limits(computing=0.2, wall=0.5))
        try:
            run_check(EXERCISES["c_strides"], local)
        except CheckFailed as failure:
            said.append(str(failure))
        # The thread is whole: nothing is on its way to it any more.
        said.append(sum(range(100_000)))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert "does not return in time: it was stopped" in said[0]
    assert said[1] == 4999950000


def test_threads_that_check_at_once_give_the_streams_back():
    """Each takes them from the whole process, and would give back what the other put there."""
    inside, met, done = threading.Event(), threading.Event(), threading.Event()

    def first(size):
        if not inside.is_set():
            inside.set()
            met.wait(0.5)
        return c_strides(size)

    def second(size):
        met.set()
        done.wait(60)
        return c_strides(size)

    def check_second():
        inside.wait()
        run_check(EXERCISES["c_strides"], second)

    before = sys.stdout, sys.stderr, builtins.input, bdb.Bdb.set_trace
    other = threading.Thread(target=check_second)
    other.start()
    run_check(EXERCISES["c_strides"], first)
    done.set()
    other.join()
    assert (sys.stdout, sys.stderr, builtins.input, bdb.Bdb.set_trace) == before


def slowly(size, wrong=(), seconds=0.002):
    """So much computing a call."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return () if size in wrong else c_strides(size)


def test_calls_that_are_slow_together_are_stopped():
    """Each is quick enough, and all of them are too much."""

    def slow(size):
        return slowly(size, seconds=0.02)

    local = Local(slow, Limits(most=0.1, enough=1000))
    with pytest.raises(CheckFailed, match="all calls together were stopped, when c_strides"):
        run_check(EXERCISES["c_strides"], local)


def test_a_slow_function_is_asked_fewer_cases(capsys):
    """The first ones, and as many again from everywhere among the others."""
    exercise = EXERCISES["c_strides"]
    asked = []

    def slow(size):
        asked.append(size)
        return slowly(size)

    run_check(exercise, Local(slow, Limits(total=0.1)), hidden=True)
    said = re.fullmatch(
        r"c_strides: right on the (\d+) cases that there was time for, of 1,\d{3}\.\n",
        capsys.readouterr().out,
    )
    cases = [case.arguments[0] for case in exercise.batch(hidden=True, seed=SEED).cases]
    known = {size: place for place, size in reversed([*enumerate(cases)])}
    places = sorted({known[size] for size in asked})
    assert 100 <= int(said[1]) < 400
    assert places[:50] == [*range(50)]
    assert all(any(low <= each < low + 200 for each in places) for low in range(0, 1200, 200))


def test_a_slow_function_that_is_wrong_late_fails():
    """Nobody gains by being slow: it is wrong on one in two of the later half."""
    cases = EXERCISES["c_strides"].batch(hidden=True, seed=SEED).cases
    wrong = {case.arguments[0] for case in cases[600::2]}
    local = Local(lambda size: slowly(size, wrong), Limits(total=0.1))
    with pytest.raises(CheckFailed, match=r"wrong on \d+ of \d+ cases"):
        run_check(EXERCISES["c_strides"], local, hidden=True)


def test_in_the_browser_pyodide_is_asked_and_given_back_what_it_had(monkeypatch):
    """There is neither a timer nor a thread. What is JavaScript here is run by site/look.py."""
    given = []
    runtime = SimpleNamespace(_module="module", setInterruptBuffer=given.append)

    def buffer(module, tick, alarm, stack, deep):
        assert (module, tick) == ("module", 1000 * limits.TICK)
        return SimpleNamespace(before="what was there", alarm=alarm, deep=deep)

    code = SimpleNamespace(run_js=lambda _source: buffer)
    monkeypatch.setitem(sys.modules, "pyodide_js", runtime)
    monkeypatch.setitem(sys.modules, "pyodide", SimpleNamespace(code=code))
    monkeypatch.setitem(sys.modules, "pyodide.code", code)
    monkeypatch.setattr(limits, "sys", SimpleNamespace(platform="emscripten"))
    signals = (signal.SIGALRM, signal.SIGUSR1)
    handlers = [*map(signal.getsignal, signals)]

    def asked(size):
        while True:
            signal.raise_signal(given[-1].alarm)

    def deep(size):
        signal.raise_signal(given[-1].deep)

    run_check(EXERCISES["c_strides"], c_strides)
    brief = Limits(computing=0.2, wall=0.5)
    with pytest.raises(CheckFailed, match=r"c_strides\(\(\)\) does not return in time: it was"):
        run_check(EXERCISES["c_strides"], Local(asked, brief))
    with pytest.raises(CheckFailed, match="calls itself too deeply, until Python gives up"):
        run_check(EXERCISES["c_strides"], Local(deep, brief))
    assert len(given) > 6
    assert {*given[1::2]} == {"what was there"}
    assert [*map(signal.getsignal, signals)] == handlers


def test_the_alarm_is_given_back():
    """A check leaves no timer behind, and no handler."""
    before = signal.getsignal(signal.SIGALRM)
    check.c_strides(c_strides)
    message("c_strides", lambda size: ())
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before


# Right is right, in whatever style.


def loud(function):
    """Prints, warns and logs."""

    @functools.wraps(function)
    def wrapped(*arguments):
        print("hello", sys.stdout.name, sys.stdout.mode, sys.stdout.buffer.mode)
        print("oh", file=sys.stderr)
        warnings.warn("not sure", stacklevel=1)
        logging.getLogger("loud").warning("well")
        return function(*arguments)

    return wrapped


class Adder:
    """A callable object."""

    def __call__(self, size):
        """Right."""
        return c_strides(size)

    def method(self, size):
        """Bound to an object."""
        return c_strides(size)


class Pair(NamedTuple):
    """A name for each."""

    a: int
    b: int


def as_named_tuples(size):
    """A named tuple is a tuple."""
    stride = c_strides(size)
    return Pair(*stride) if len(stride) == 2 else stride


STYLES = {
    "torch.Size": lambda size: torch.Size(c_strides(size)),
    "named tuples": as_named_tuples,
    "subclasses of int": lambda size: tuple(Colour(1) if n == 1 else n for n in c_strides(size)),
    "loud": loud(c_strides),
    "cached": functools.lru_cache(c_strides),
    "partial": functools.partial(lambda extra, size: c_strides(size), None),
    "an object": Adder(),
    "a method": Adder().method,
    "variadic": lambda *arguments: c_strides(*arguments),
}


@pytest.mark.parametrize("style", STYLES)
def test_right_work_passes_in_any_style(style, capsys):
    """With one line."""
    check.c_strides(STYLES[style])
    printed = capsys.readouterr()
    assert printed.out.count("\n") == 1
    assert printed.err == ""


@given(st.data())
def test_results_of_any_mixture_of_allowed_types_pass(data):
    """Property: the tuple may be of any kind, and each int of any kind but bool."""

    class Own(int):
        pass

    kinds = data.draw(st.lists(st.sampled_from([int, Own]), min_size=1, max_size=5))
    outer = data.draw(st.sampled_from([tuple, torch.Size, type("Mine", (tuple,), {})]))

    def mixed(size):
        stride = c_strides(size)
        return outer([kinds[n % len(kinds)](step) for n, step in enumerate(stride)])

    with contextlib.redirect_stdout(io.StringIO()) as said:
        check.c_strides(mixed)
    assert "right on all" in said.getvalue()


@given(st.sampled_from([np.int64, np.int32, np.uint8, float, bool, str, complex]))
def test_results_of_other_types_do_not(kind):
    """Property: the message names the type."""
    said = message("c_strides", lambda size: tuple(kind(n) for n in c_strides(size)))
    assert kind.__name__ in said


def test_what_a_function_prints_stays_off_the_page(capsys):
    """A check calls it a thousand times."""
    check.isContiguous(loud(is_contiguous))
    printed = capsys.readouterr()
    assert printed.out.endswith("cases. (What it printed is not shown.)\n")
    assert printed.out.count("\n") == 1
    assert printed.err == ""


def test_what_it_printed_on_the_case_that_failed_is_shown():
    """Somebody who debugs by printing looks for it; all other cases stay silent."""

    def wrong(tensor):
        print("stride is", tensor.stride())
        return True

    assert message("isContiguous", wrong).endswith("what it printed on this case:\nstride is (2,)")


def test_a_log_handler_with_a_stream_of_its_own_is_heard_too(monkeypatch):
    """A notebook's handlers keep the stream that they were made with."""

    class NotebookStream(io.StringIO):
        """Like the kernel's: its methods can be replaced."""

    stream = NotebookStream()
    monkeypatch.setattr(sys, "stderr", stream)
    handler = logging.StreamHandler(stream)
    log = logging.getLogger("chen")
    log.addHandler(handler)
    try:
        check.isContiguous(lambda t: log.warning("well") or is_contiguous(t))
    finally:
        log.removeHandler(handler)
    assert stream.getvalue() == ""
    stream.write("still works")
    assert stream.getvalue() == "still works"


def test_checks_leave_the_streams_as_they_were():
    """Also after a failure."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        message("isContiguous", lambda t: True)
    assert sys.stdout is not out


# The picture.


def test_the_failure_shows_itself_without_a_traceback():
    """IPython prints these lines and nothing else."""
    assert CheckFailed("because")._render_traceback_() == ["CheckFailed: because"]


def test_long_lines_are_wrapped_and_pictures_are_not():
    """A page of feedback cuts off what does not fit."""
    picture = "│ " + "0  " * 60
    said, drawn = CheckFailed(
        f"{'word ' * 40}\n  rule: {'rule ' * 40}\n\n{picture}"
    )._render_traceback_()
    assert max(map(len, said.split("\n"))) <= 96
    assert "\n  rule: rule" in said
    assert drawn == f"\n{picture}"


ODD = [None, (), [], "x", 3, (1, 2, 3), ((1,), (1,), -1), ((2, 3), (10**9, 1), 0), {}, c_strides]


@pytest.mark.parametrize("name", EXERCISES)
def test_pictures_and_rules_stand_whatever_came_back(name):
    """Odd results of every kind, on a few cases of every exercise: a message, never a crash."""
    exercise = EXERCISES[name]
    cases = exercise.all_cases(hidden=False, seed=1)
    for case in [*cases[:3], *cases[len(cases) // 2 :: max(1, len(cases) // 12)]]:
        rule = exercise.rule(*case.arguments)
        assert rule.endswith((".", "?"))
        seen = set()
        for odd in ODD:
            (outcome,) = Local(lambda *_, odd=odd: odd).run([case], exercise.rules.watch).outcomes
            expected = exercise.reference(*case.arguments)
            picture = exercise.drawn(case, expected, outcome)
            if picture is not None:
                told = picture.alt, picture.text()
                assert all(told)
                # Most that is odd cannot be drawn, and leaves the picture as it was.
                picture = None if told in seen else picture
                seen.add(told)
            said = exercise.wrong_with(case, expected, outcome) or ""
            failure = Failure("", f"call {said}", case, outcome, expected, picture=picture)
            assert card(exercise, failure).startswith("<div")


@pytest.mark.parametrize("name", EXERCISES)
def test_cases_come_once_and_hidden_ones_go_further(name):
    """The hidden scope holds the small scope of the visible one."""
    exercise = EXERCISES[name]
    visible, hidden = (exercise.all_cases(hidden=hidden, seed=1) for hidden in (False, True))
    assert len(set(visible)) == len(visible) < len(hidden) == len(set(hidden))
    assert len(set(visible) & set(hidden)) > 0.4 * len(visible)


@pytest.mark.parametrize(
    ("parameters", "rest", "arguments"),
    [
        (("size", "stride"), (), ((2, 3), (1, 2))),
        (("size", "stride", "storage_offset"), (), ((2, 3), (1, 2), 4)),
        (("size", "stride", "dim"), (1,), ((2, 3), (1, 2), 1)),
        (("tensor", "new_size"), ((6,),), (tensor_data(Layout((2, 3), (1, 2), 4)), (6,))),
    ],
)
def test_a_layout_in_a_case_stands_for_what_the_parameters_name(parameters, rest, arguments):
    """Or for a tensor that lies so, where none of them is a part of a header."""
    layout = Layout((2, 3), (1, 2), 4)
    given = [(layout, *rest)] if rest else [layout, (layout,)]
    exercise = Exercise("f", parameters, lambda hidden, chance: given, print, str)
    assert exercise.all_cases(hidden=False, seed=1) == (Case(arguments),)


def test_a_mistake_may_give_a_refusal_and_known_ones_refuse_what_is_to_be_refused():
    """Each raises it, and else gives what it gives."""
    exercise = Exercise(
        "f",
        ("n",),
        lambda hidden, chance: [(n,) for n in range(3)],
        lambda n: n or Refusal("ValueError"),
        str,
        known={"if 1 is added.": lambda n: n + 1},
        refusing={"if 2 is refused.": lambda n: Refusal("IndexError") if n == 2 else n},
    )
    adds, refuses = (mistake.function for mistake in exercise.mistakes)
    assert (adds(2), refuses(0)) == (3, 0)
    with pytest.raises(ValueError, match=r"^$"):
        adds(0)
    with pytest.raises(IndexError):
        refuses(2)


@pytest.mark.parametrize("name", EXERCISES)
def test_some_cases_come_again_at_the_end(name):
    """From everywhere, in another order; with other values, reordered numbers, or other tensors.

    These begin where the ones before them do.
    """
    exercise = EXERCISES[name]
    cases, expected, distinct, *_ = exercise.batch(hidden=True, seed=1)
    number = {case: place for place, case in enumerate(cases[:distinct])}
    more = cases[distinct:]
    again = [number[case] for case in more if case in number]
    assert ALONE // 2 < len(more) <= ALONE
    assert len(more) // 2 <= len(again)
    assert max(again) - min(again) > 0.9 * distinct
    assert again != sorted(again)
    for place in range(distinct, len(cases)):
        case = cases[place]
        assert expected[place] == exercise.reference(*case.arguments)
        if case not in number and case.tensors:
            assert kept(case) == kept(cases[place - 1])
        elif case not in number:
            asked = [each for each in range(distinct) if kept(cases[each]) == kept(case)]
            assert any(expected[each] != expected[place] for each in asked)


def kept(case):
    """Of the arguments what stays where they come again: all but values, and the order of numbers.

    Tensors keep that order; of two only where they begin stays.
    """
    if len(case.tensors) > 1:
        return [each.apart + each.storage_offset * each.itemsize for each in case.tensors]
    return [
        each._replace(storage=b"")
        if isinstance(each, TensorData)
        else sorted(each)
        if isinstance(each, tuple)
        else each
        for each in case.arguments
    ]


PLAIN = [name for name, exercise in EXERCISES.items() if exercise.returns is not None]


@pytest.mark.parametrize("name", PLAIN)
def test_what_is_expected_is_right_and_nothing_else(name):
    """Law: of each case, the expected value is right, and that of another case is not."""
    exercise = EXERCISES[name]
    cases, expected, distinct, *_ = exercise.batch(hidden=False, seed=1)
    outcomes = [
        Outcome("raised", bases=(each.error, "Exception", "BaseException"))
        if isinstance(each, Refusal)
        else Outcome("value", each)
        for each in expected[:distinct]
    ]
    for case, own, outcome in zip(cases, expected, outcomes, strict=False):
        assert exercise.wrong_with(case, own, outcome) is None
        for other in outcomes[:20]:
            said = exercise.wrong_with(case, own, other)
            is_free = exercise.free and own is not None and other.kind == "value"
            assert said is not None or other.answer == outcome.answer or is_free


def test_every_assignment_has_its_exercises():
    """Forty-one functions make the course."""
    assert {name: len(exercises) for name, exercises in ASSIGNMENTS.items()} == {
        "ps1": 7,
        "ps2": 7,
        "ps3": 7,
        "ps4": 6,
        "ps5": 7,
        "ps6": 7,
    }


def test_who_is_wrong_and_never_returns_hears_both():
    """Of the cases that come after, nothing is counted."""

    def hangs(size):
        while len(size) > 2:
            pass
        return (1,) * len(size)

    with pytest.raises(CheckFailed) as failure:
        run_check(EXERCISES["f_strides"], Local(hangs, Limits(computing=0.3)))
    assert "And f_strides((0, 0, 0)) does not return in time." in str(failure.value)
    assert re.search(r"wrong on \d+ of the first \d+ cases", str(failure.value))


def test_who_is_stopped_at_once_gets_no_hint():
    """One answer, which is wrong, tells no mistake from another."""

    def hangs(size, stride, new_size):
        while new_size != (2,):
            pass
        return False

    with pytest.raises(
        CheckFailed, match=r"returned False; expected True\. And can_view"
    ) as failure:
        run_check(EXERCISES["can_view"], Local(hangs, Limits(computing=0.3)))
    assert "hint: " not in str(failure.value)
