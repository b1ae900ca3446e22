"""The cases of an assignment's checks, with what they expect, made while torch is imported.

They need no torch. So a process of their own makes them, forked before the server imports
anything, and hands them over by pickle. What is read there, this very program has written: no
learner's process exists yet, and none ever holds an end of that connection.
"""

import ast
import json
import os
import pickle
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from stridekit_course.checks import exercise
from stridekit_course.checks.callee import Case
from stridekit_course.checks.exercise import SEED, Batch, Exercise
from stridekit_course.exercises import find
from stridekit_grading.sandbox import kernel
from stridekit_grading.sandbox.channel import Channel, ChannelError, pair
from stridekit_grading.sandbox.known_outcomes import Rest, keep_rest, known_rest, rest_of
from stridekit_grading.sandbox.referee import encoded, take_encoded


class _Call(NamedTuple):
    """A check that a test cell calls."""

    exercise: Exercise
    hidden: bool
    seed: int


class Ahead:
    """A process that reads what the tests are, says it, and makes their cases."""

    def __init__(self, orders: Channel) -> None:
        """Fork it; it reads the next order."""
        mine, its = map(Channel, pair())
        self._said = mine
        self._process = os.fork()
        if self._process == 0:
            kernel.die_with_parent()
            # It knows what no learner may know.
            kernel.set_dumpable(dumpable=False)
            mine.close()
            try:
                _make_all(orders, its)
            finally:
                os._exit(0)
        its.close()

    def plan(self) -> dict[str, Any]:
        """What the tests are. Raises ChannelError."""
        plan: dict[str, Any] = self._said.receive()
        return plan

    def take(self) -> None:
        """Take over what it has made. What is missing is made where it is asked for."""
        made = b"".join(iter(lambda: self._said.socket.recv(1 << 20), b""))
        self.close()
        os.waitpid(self._process, 0)
        try:
            batches, rests = pickle.loads(made)
        except (EOFError, pickle.UnpicklingError):
            return
        for (name, hidden, seed), batch, text in batches:
            exercise = find(name)
            assert exercise is not None
            exercise.keep(batch, hidden=hidden, seed=seed)
            take_encoded(batch.cases, text)
        for before, cases, rest, text in rests:
            keep_rest(before, cases, rest)
            take_encoded(rest.cases, text)

    def close(self) -> None:
        """Hang up, in a process that has no business with it."""
        self._said.close()


def make_batches(sources: Iterable[str]) -> None:
    """The cases and what they expect, of every check that test cells call."""
    _all_made(sources)


def _all_made(sources: Iterable[str]) -> tuple[list[Any], list[Any]]:
    """Batches by their calls, and what of the same exercise one of them asks beyond another."""
    calls = dict.fromkeys(call for source in sources for call in _calls_in(source))
    made = [((call.exercise.name, *call[1:]), *_made(call)) for call in calls]
    rests = []
    for ((name, *_), before, _), ((other, *_), batch, _) in combinations(made, 2):
        if name == other:
            rest = _rest(before.cases, batch.cases)
            rests.append((before.cases, batch.cases, rest, encoded(rest.cases)))
    return made, rests


def _rest(before: Sequence[Case], batch: Sequence[Case]) -> Rest:
    rest = known_rest(before, batch)
    if rest is None:
        rest = rest_of(before, batch)
        keep_rest(before, batch, rest)
    return rest


def _make_all(orders: Channel, to: Channel) -> None:
    try:
        text = orders.receive_text()
        to.send_text(text)
        plan = json.loads(text)
        exercise.keep_secret(bytes.fromhex(plan["secret"]))
        to.socket.sendall(pickle.dumps(_all_made(plan["tests"]), pickle.HIGHEST_PROTOCOL))
    except (ChannelError, OSError):
        # The server hears that nobody speaks any more.
        return


def _made(call: _Call) -> tuple[Batch, str]:
    batch = call.exercise.batch(hidden=call.hidden, seed=call.seed)
    # For those who fail; each fork would work it out again.
    for number in range(len(batch.cases)):
        call.exercise.order(batch, number)
    return batch, encoded(batch.cases)


def _calls_in(source: str) -> Iterator[_Call]:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    for each in ast.walk(tree):
        if not (isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)):
            continue
        given = {
            keyword.arg: keyword.value.value
            for keyword in each.keywords
            if isinstance(keyword.value, ast.Constant)
        }
        exercise = find(each.func.attr)
        if exercise is None or not isinstance(each.func.value, ast.Name):
            continue
        seed = given.get("seed", SEED)
        if isinstance(seed, int):
            yield _Call(exercise, bool(given.get("hidden", False)), seed)
