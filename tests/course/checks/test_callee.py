"""The seam: a check against a function that lives in another process."""

import json
import math
import subprocess
import sys
import textwrap
import time
import weakref
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from stridekit.layouts.layout import Layout
from stridekit_course.checks import wire
from stridekit_course.checks.callee import (
    BatchOutcomes,
    Callee,
    Case,
    Foreign,
    Outcome,
    SourceCall,
    SourceLine,
    TensorData,
    same,
)
from stridekit_course.checks.calling import Local
from stridekit_course.checks.engine import check
from stridekit_course.checks.limits import Limits, TimeUpError
from stridekit_course.checks.strategies import tensor_data
from stridekit_course.checks.wire import WireError
from stridekit_course.exercises import EXERCISES, CheckFailed
from tests.bank import solutions

FAR = textwrap.dedent("""
    import json
    import sys
    from stridekit_course.checks.calling import Local
    from stridekit_course.checks.wire import heard, told
    from tests.bank import Solution

    # Buffered, whatever PYTHONUNBUFFERED says: without a buffer, Python loses what is left of a
    # long line when the clock's signal comes while it is written.
    ask, tell = sys.stdin, open(1, "w", closefd=False)
    for line in ask:
        asked = heard(json.loads(line))
        if len(asked) == len(Solution._fields):
            local = Local(Solution(*asked).load())
            answer = tuple(local.read())
        else:
            cases, watch, closely = asked
            answer = local.run(cases, watch, closely=closely)
        print(json.dumps(told(answer)), file=tell, flush=True)
""")


def encode(thing):
    """As a message has it."""
    return json.dumps(wire.told(thing))


def decode(text):
    """What `encode` made a line of."""
    return wire.heard(json.loads(text))


class Far(Callee):
    """One function after another, in a process of their own: lines of JSON go in and come out."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-c", FAR], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def _ask(self, thing):
        print(encode(thing), file=self.process.stdin, flush=True)
        return decode(self.process.stdout.readline())

    def load(self, solution):
        """From now on it is this function."""
        self._calls = self._ask((*solution,))

    def read(self):
        """What the other process read in the source."""
        return self._calls

    def run(self, cases, watch, *, closely=False):
        """One line for all cases, and one that comes back."""
        return self._ask((tuple(cases), watch, closely))

    def close(self):
        """Ends the process."""
        self.process.stdin.close()
        self.process.stdout.close()
        assert self.process.wait() == 0


@pytest.fixture(scope="module")
def far():
    """One for all, since it imports torch."""
    far = Far()
    yield far
    far.close()


def verdict(exercise, callee, capsys):
    """What the check says, word for word."""
    try:
        check(exercise, callee)
    except CheckFailed as failure:
        return str(failure)
    return capsys.readouterr().out


FAR_ONES = [
    next(each for each in solutions(function=function) if each.kind.startswith(kind))
    for function in ("c_strides", "select", "isContiguous", "contiguous", "load_image")
    for kind in ("right", "wrong")
] + [each for each in solutions(function="contiguous") if each.title == "room left over"]


@pytest.mark.parametrize("solution", FAR_ONES, ids=str)
def test_the_verdict_is_the_same_wherever_the_function_lives(solution, far, capsys):
    """Word for word: only plain data has crossed."""
    exercise = EXERCISES[solution.function]
    far.load(solution)
    there = verdict(exercise, far, capsys)
    assert there == verdict(exercise, solution.load(), capsys)
    assert there


def test_a_function_that_stops_answering_is_no_right_one():
    """A process may die: what it has not answered is not right."""

    class Dying(Callee):
        def read(self):
            return ()

        def run(self, cases, watch, *, closely=False):
            return Local(lambda size: (3, 1)).run(cases[:0], watch, closely=closely)

    with pytest.raises(CheckFailed, match=r"c_strides gave 0 answers to \d+ calls"):
        check(EXERCISES["c_strides"], Dying())


ints = st.integers()
plain = st.recursive(
    st.none() | st.booleans() | ints | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple),
    max_leaves=12,
)
tensors = st.builds(
    TensorData,
    st.sampled_from(["torch", "numpy", "stridekit"]),
    st.just("uint8"),
    st.lists(ints, max_size=3).map(tuple),
    st.lists(ints, max_size=3).map(tuple),
    ints,
    st.binary(max_size=8),
    ints,
    st.booleans(),
    ints,
)
outcomes = st.builds(
    Outcome,
    st.just("value"),
    plain | tensors | st.lists(st.lists(ints, max_size=3).map(tuple), max_size=3),
    st.none() | ints,
    st.none() | ints,
    calls=st.sampled_from([(), (SourceCall("torch.add", SourceLine(3, "t + 1")),)]),
    place=st.none() | st.builds(SourceLine, ints, st.text(), st.text(), st.booleans()),
)
things = st.one_of(
    plain,
    tensors,
    st.builds(Case, st.lists(plain | tensors, max_size=3).map(tuple), st.booleans()),
    outcomes,
    st.builds(BatchOutcomes, st.lists(outcomes, max_size=6).map(tuple), st.booleans()),
    st.builds(Foreign, st.text(), st.text()),
    st.builds(SourceCall, st.text(), st.builds(SourceLine, ints)),
)


@given(things)
def test_what_crosses_is_the_same_on_the_other_side(thing):
    """In types too."""
    assert same(decode(encode(thing)), thing)


@pytest.mark.parametrize("thing", [object(), {1: 2}, torch.zeros(1), math, (1, {2})])
def test_nothing_else_crosses(thing):
    """One sentence, before anything is sent."""
    with pytest.raises(WireError, match="cannot cross to another process"):
        encode(thing)


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"bytes":"§"}',
        '{"bytes":3}',
        '{"list":3}',
        "[]",
        "[1,2]",
        '{"mixed":[[0]]}',
        '{"mixed":[[0,0],[1]]}',
        '{"mixed":[["0"],[1]]}',
        '{"mixed":[[0],1]}',
        '{"tuple":[1]}',
        '{"Case":[]}',
        '{"Case":[[[1]],[1]]}',
        '{"Case":[null,null]}',
        '{"Case":[[[1],[2]],[true]]}',
        '{"Exploit":["x"]}',
        '{"list":[[1]],"bytes":["0x1"]}',
        '{"Foreign":[["int"],[3]]}',
        '{"TensorData":[["cupy"],["int64"],[[1]],[[1]],[0],{"bytes":[""]},null,null,null]}',
        '{"TensorData":[["torch"],["int64"],[[true]],[[1]],[0],{"bytes":[""]},null,null,null]}',
        '{"TensorData":[["torch"],["int64"],[[1]],[[1]],[0],[""],null,null,null]}',
        '{"TensorData":[["torch"],["int64"],[[1]],[[1]],[0],{"bytes":[""],"list":[]},null,null,null]}',
        '{"TensorData":[["torch"],["int64"],[[1]],[[1]],[0],{"bytes":[""]}]}',
        '{"TensorData":[["torch"],["int64"],[[1]],[[1]],null,{"bytes":[""]},null,null,null]}',
        '{"tensor":[null,null,"torch","int64",[1],[1],0,"",0,false,0]}',
    ],
)
def test_a_forged_message_is_refused(text):
    """One error, whatever is wrong with it."""
    with pytest.raises(WireError, match="not a message of this protocol"):
        decode(text)


PACKAGES = ("stridekit", "stridekit_course", "stridekit_grading")
ADDED = SourceCall("torch.add", SourceLine(3, "t + 1"))
TENSOR = [["torch"], ["int64"], [[1]], [[1]], [0], {"bytes": ["AAAAAAAAAAA="]}, None, None, None]
CALLED = {"SourceCall": [["torch.add"], {"SourceLine": [[3], ["t + 1"], None, None]}]}
# A tensor for which a name was called, an exception, and the number 1: a column for each field.
OUTCOMES = [
    ["value", "raised", "value"],
    {"mixed": [[0, 1, 2], {"TensorData": TENSOR}, [None], [1]]},
    None,
    [0, None, None],
    [[], ["ValueError", "Exception"], []],
    *(None, None, None),
    [CALLED, [], []],
    *(None, None, None),
]
RUN = [[{"Outcome": OUTCOMES}], None]
ANYTHING = [None, True, 3, -1, 2.5, "x", "numpy", [], [None], [0], [[]], {}, {"list": [1]}, [RUN]]


def test_a_run_is_heard_as_it_was_told():
    """The one that all those below were made from."""
    tensor = TensorData("torch", "int64", (1,), (1,), 0, bytes(8))
    run = BatchOutcomes(
        (
            Outcome("value", tensor, None, 0, calls=(ADDED,)),
            Outcome("raised", bases=("ValueError", "Exception")),
            Outcome("value", 1),
        )
    )
    assert json.loads(encode(run)) == {"BatchOutcomes": RUN}
    assert wire.heard({"BatchOutcomes": RUN}) == run


def places(thing, at=()):
    """Of all that a list or an object holds, and what that holds."""
    yield at
    if isinstance(thing, list | dict):
        for place, each in items_of(thing):
            yield from places(each, (*at, place))


def items_of(thing):
    """Its items, each with the place that it stands in."""
    return [*thing.items()] if isinstance(thing, dict) else [*enumerate(thing)]


def with_another(thing, at, other):
    """The same but for what stands in one place."""
    if not at:
        return other
    made = [with_another(x, at[1:], other) if n == at[0] else x for n, x in items_of(thing)]
    return dict(zip(thing, made, strict=True)) if isinstance(thing, dict) else made


def is_whole(outcome):
    """Whether its parts have the types that they should have, exactly."""
    types = [type(each) for each in outcome[2:4]]
    names = (*outcome.bases, *(call.name for call in outcome.calls))
    if type(outcome.value) is TensorData:
        library, dtype, size, stride, *rest = outcome.value
        names = (*names, library, dtype)
        parts = [type(each) for each in rest]
        if [type(size), type(stride), *parts] != [tuple, tuple, int, bytes, int, bool, int]:
            return False
        types += map(type, (*size, *stride))
    return {*types} <= {int, type(None)} and {*map(type, names)} <= {str}


@pytest.mark.parametrize("at", [*places(RUN)], ids=str)
def test_a_run_that_was_forged_in_one_place_is_refused_or_whole(at):
    """What is heard has the right types in all its parts, whoever told it."""
    for other in ANYTHING:
        try:
            run = wire.heard({"BatchOutcomes": with_another(RUN, at, other)})
        except WireError:
            continue
        assert type(run) is BatchOutcomes
        assert type(run.talks) is bool
        assert {*map(type, run.outcomes)} <= {Outcome}
        assert all(map(is_whole, run.outcomes))


OF_RUN = (0, 0, "Outcome")
OF_TENSOR = (*OF_RUN, 1, "mixed", 1, "TensorData")


@pytest.mark.parametrize(
    ("at", "other"),
    [
        ((), []),
        ((0,), None),
        ((0,), {"list": []}),
        ((0, 0), None),
        ((0, 0), {"TensorData": TENSOR}),
        ((0, 0), {"Outcome": OUTCOMES, "list": [[]]}),
        (OF_RUN, [["value"], [1]]),
        ((*OF_RUN, 0), ["value", "raised"]),
        ((*OF_RUN, 0), "value"),
        ((*OF_RUN, 0, 0), "right"),
        ((*OF_RUN, 0, 0), ["value"]),
        ((*OF_RUN, 1), [1, 1]),
        ((*OF_RUN, 3), 0),
        ((*OF_RUN, 3, 0), True),
        ((*OF_RUN, 3, 0), "0"),
        ((*OF_RUN, 4), {"list": [[], [], []]}),
        ((*OF_RUN, 4, 1, 0), 3),
        ((*OF_RUN, 8), CALLED),
        ((*OF_RUN, 8, 0), ["torch.add"]),
        ((*OF_RUN, 8, 0, "SourceCall", 0), [3]),
        ((*OF_RUN, 8, 0, "SourceCall", 1), [3]),
        (OF_TENSOR, [1]),
        ((*OF_TENSOR, 0), ["cupy"]),
        ((*OF_TENSOR, 0), [["torch"]]),
        ((*OF_TENSOR, 1), [8]),
        ((*OF_TENSOR, 2), [["1"]]),
        ((*OF_TENSOR, 2), [1]),
        ((*OF_TENSOR, 2), {"list": [[1]]}),
        ((*OF_TENSOR, 3), [[True]]),
        ((*OF_TENSOR, 4), ["0"]),
        ((*OF_TENSOR, 5), [""]),
        ((*OF_TENSOR, 5, "bytes"), ["§"]),
        ((*OF_TENSOR, 5, "bytes"), 3),
        ((*OF_TENSOR, 7), [0]),
        ((1,), [0]),
    ],
    ids=str,
)
def test_a_forged_run_is_refused(at, other):
    """Also where a part is nearly right."""
    with pytest.raises(WireError, match="not a message of this protocol"):
        wire.heard({"BatchOutcomes": with_another(RUN, at, other)})


def test_only_a_learner_s_process_takes_pickled_cases_apart():
    """Whatever it says itself is JSON."""
    root = Path(__file__).resolve().parents[3]
    files = [p for each in PACKAGES for p in (root / each).rglob("*.py")]
    unpickling = {p.name for p in files if "pickle.load" in p.read_text("utf-8")}
    taking = {p.name for p in files if "decode_cases(" in p.read_text("utf-8")}
    assert unpickling == {"wire.py"}
    assert taking == {"wire.py", "learner.py"}


# Outcomes are plain data.


def outcome_of(function, *arguments, watch="tensors"):
    """What one call did."""
    (outcome,) = Local(function).run([Case(arguments)], watch).outcomes
    return outcome


def test_a_value_a_tensor_and_an_exception():
    """Nothing of the learner's comes through the seam."""
    data = tensor_data(Layout((2,), (1,)))
    value = outcome_of(lambda t: t.numel(), data)
    assert (value.kind, value.value) == ("value", 2)
    assert [call.name for call in value.calls] == ["Tensor.numel"]
    itself = outcome_of(lambda t: t, data)
    assert (itself.value, itself.is_argument, itself.aliases) == (data, 0, 0)
    raised = outcome_of(lambda t: t.missing, data)
    assert raised.kind == "raised"
    assert raised.bases == ("AttributeError", "Exception", "BaseException")


def test_aliasing_is_told_for_the_storage_not_for_the_object():
    """A view of an argument lies on its storage; a copy does not; which argument is told."""
    a = tensor_data(Layout((2, 3), (3, 1)))
    b = tensor_data(Layout((3,), (1,)))._replace(memory=1)
    view = outcome_of(lambda a, b: b[1:], a, b)
    assert (view.is_argument, view.aliases) == (None, 1)
    assert outcome_of(lambda a, b: b + 1, a, b).aliases is None
    assert view.value.layout == Layout((2,), (1,), 1)


def test_arguments_of_one_memory_lie_on_one_storage():
    """A write through one is seen through the other, and by the seam."""
    a = tensor_data(Layout((4,), (1,)))
    b = tensor_data(Layout((2,), (2,)), length=4)

    def write(a, b):
        b[1] = 70
        return a.tolist()

    outcome = outcome_of(write, a, b)
    assert outcome.value == [0, 1, 70, 3]
    assert outcome.changed == 0


def test_odd_tensors_come_through_as_what_they_look_like():
    """Sparse ones, ones without memory, subclasses: nothing of them breaks the seam."""

    class Own(torch.Tensor):
        """A subclass."""

    for make in (
        lambda: torch.eye(2).to_sparse(),
        lambda: torch.empty(2, device="meta"),
        lambda: torch.nested.nested_tensor([torch.zeros(2)]),
        lambda: torch.zeros(2).as_subclass(Own),
    ):
        assert isinstance(outcome_of(make).value, Foreign)
    parameter = outcome_of(lambda: torch.nn.Parameter(torch.zeros(2)))
    assert isinstance(parameter.value, TensorData)


def test_objects_that_misbehave_do_not_break_the_seam():
    """A repr, a message and an iterator that raise; a list that holds itself."""

    class Bad(tuple):
        """Everything raises."""

        def __repr__(self):
            raise ValueError

        def __iter__(self):
            raise ValueError

        def __eq__(self, other):
            return True

        __hash__ = None

    class WorseError(Exception):
        """Its message raises."""

        def __str__(self):
            raise ValueError

    def knot():
        inside = []
        inside.append(inside)
        return inside

    def raises():
        raise WorseError

    assert outcome_of(lambda: Bad((1, 2))).value == (1, 2)
    assert type(outcome_of(lambda: Bad((1, 2))).value) is tuple
    odd = type("Odd", (), {"__repr__": Bad.__repr__, "__module__": "builtins"})
    assert outcome_of(odd).value == Foreign("Odd", "a Odd")
    assert isinstance(outcome_of(knot).value, list)
    assert outcome_of(raises).bases[0].endswith(".WorseError")


def test_what_a_call_that_raises_has_made_is_gone_with_it():
    """Also where another exception was handled meanwhile: some hundred calls would hold it all."""
    alive, most = weakref.WeakSet(), []

    class Table:
        """What a call works with."""

    def refuses(number):
        table = Table()
        alive.add(table)
        most.append(len(alive))
        try:
            raise KeyError(number)
        except KeyError as error:
            raise IndexError(number) from error

    run = Local(refuses).run([Case((number,)) for number in range(300)], "plain")
    assert {outcome.bases[0] for outcome in run.outcomes} == {"IndexError"}
    assert max(most) == 1


def test_what_is_looked_at_step_by_step_may_take_its_time():
    """A call is in time or not as it is for itself: memory is measured at a tenth of its speed."""

    def slowed(x):
        begins, is_looked_at = time.process_time(), sys._getframe(2).f_code.co_name == "measured"
        while is_looked_at and len(x) > 1 and time.process_time() - begins < 0.6:
            pass
        return x.clone()

    case = Case((tensor_data(Layout.of((8,))),), measured=True)
    (outcome,) = Local(slowed, Limits(computing=0.2)).run([case], "tensors").outcomes
    assert outcome.kind == "value"
    assert outcome.peak

    def endless(x):
        n = len(x)
        while n > 1:
            pass

    (outcome,) = Local(endless, Limits(computing=0.02)).run([case], "tensors").outcomes
    assert (outcome.kind, outcome.raised) == ("stopped", "call")


def test_who_is_stopped_while_torch_works_is_stopped():
    """torch takes off whatever watches it, and puts it back: a tick may come in between."""

    def stopped(x):
        torch._C._pop_torch_function_stack()
        raise TimeUpError

    case = Case((tensor_data(Layout.of((8,))),))
    for count in (1, 300):
        *_, last = Local(stopped).run([case] * count, "tensors").outcomes
        assert last.kind == "stopped"
        assert not torch._C._len_torch_function_stack()


@pytest.mark.parametrize("name", EXERCISES)
def test_a_referee_s_cases_arrive_as_they_were(name):
    """All of them, types and bytes included."""
    cases = EXERCISES[name].batch(hidden=False, seed=1).cases
    arrived = wire.decode_cases(wire.encode_cases(cases))
    assert arrived == cases
    assert repr(arrived) == repr(cases)


def test_memory_is_compared_as_it_lies_and_is_not_spelt_out():
    """A check compares thousands of answers, and of a tensor each has all the bytes of its memory.

    A stride along which nobody steps does not count; all else does, and of plain data the type.
    """
    data = TensorData("torch", "int64", (1, 2), (7, 1), 0, bytes(16))
    answer = Outcome("value", data).answer
    assert any(type(part) is TensorData and part.storage is data.storage for part in answer)
    same_steps = Outcome("value", data._replace(stride=(5, 1))).answer
    assert (answer, hash(answer)) == (same_steps, hash(same_steps))
    others = {"stride": (7, 2), "storage": b"\1" + bytes(15), "dtype": "float64"}
    for name, value in others.items():
        assert Outcome("value", data._replace(**{name: value})).answer != answer, name
    assert Outcome("value", 1).answer != Outcome("value", True).answer
