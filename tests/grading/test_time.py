"""Time: who waits holds nobody up, and who is slow is asked fewer cases."""

import inspect
import os
import socket
import subprocess
import sys
from itertools import islice
from threading import Thread

import pytest

from stridekit_grading.grade import Grader
from stridekit_grading.sandbox import supervision
from stridekit_grading.sandbox.channel import Channel, receive_descriptors, requests
from stridekit_grading.sandbox.processes import Processes
from stridekit_grading.sandbox.shell import Compiler
from tests.grading.small_courses import (
    check,
    grade,
    graded_cells,
    hand_in,
    make_course,
    outcomes,
    read_only,
    solution,
)

CELLS = [
    read_only("setup", "from stridekit_course import check"),
    solution("c_strides", "c_strides = None"),
    check("test-visible", "check.c_strides(c_strides)", 2),
    check("test-hidden", "check.c_strides(c_strides, hidden=True, seed=1)", 3),
]
STRIDES = """
def c_strides(size):
    stride = []
    for n in size[::-1]:
        stride.insert(0, stride[0] * last if stride else 1)
        last = max(n, 1)
    return tuple(stride)
"""
# Three that never come to an end, each in its own way; their names come first.
SLEEPERS = {
    "a-sleeps": "import time\ntime.sleep(10**6)",
    "b-awaits": "import asyncio\nawait asyncio.Event().wait()",
    "c-opens-a-pipe": "import os\nos.mkfifo('pipe')\nopen('pipe')",
}
OTHERS = ("d", "e", "f", "g", "h")


def test_sleepers_take_nobodys_place(tmp_path):
    """One notebook runs at a time, three wait for ever: all others are graded meanwhile."""
    root = make_course(tmp_path, "hw", {"one": CELLS})
    for name, source in SLEEPERS.items():
        hand_in(root, name, "hw", "one", {"c_strides": source})
    for name in OTHERS:
        hand_in(root, name, "hw", "one", {"c_strides": STRIDES})
    grader = Grader(root, "hw", jobs=1, budgets={"asleep": 600.0})
    try:
        # Who has ended before any of the sleepers had to be stopped.
        first = [*islice(grader.grade(grader.learners()), len(OTHERS))]
    finally:
        grader.close()
    found = {each.learner: sum(each.points.values()) for each in first}
    assert found == dict.fromkeys(OTHERS, 5)


def test_what_was_stopped_is_stopped_sooner_where_hidden_checks_are_asked(tmp_path):
    """What it had defined by then is there, and the reason is that of the first time."""
    root = make_course(tmp_path, "hw", {"one": CELLS})
    # It goes on for ever when it has defined all that is asked for.
    hand_in(root, "ada", "hw", "one", {"c_strides": f"{STRIDES}\nwhile True:\n    pass"})
    grader = Grader(root, "hw", budgets={"cell": 1.0, "again": 0.5})
    try:
        (told,) = grader.grade(grader.learners())
    finally:
        grader.close()
    assert sum(told.points.values()) == 5
    (shown,) = graded_cells(root, "ada", "hw", "one")["c_strides"]["outputs"]
    assert shown["evalue"] == "This cell was stopped: it computed for more than 1 s."


def test_who_waits_again_and_again_is_not_waited_for_for_ever(tmp_path):
    """Each of many cells would have its seconds. What was decided by then stays decided."""
    sleeps = [read_only(f"sleep-{number}", "import time\ntime.sleep(60)") for number in range(99)]
    root = make_course(tmp_path, "hw", {"one": [*CELLS, *sleeps, check("last", "assert True", 1)]})
    hand_in(root, "ada", "hw", "one", {"c_strides": STRIDES})
    budgets = {"asleep": 1.0, "asleep_in_all": 2.0, "again": 0.5, "wall": 60.0}
    grader = Grader(root, "hw", budgets=budgets)
    try:
        (told,) = grader.grade(grader.learners())
    finally:
        grader.close()
    assert told.points == {"test-visible": 2, "test-hidden": 0, "last": 0}
    reason = "it waited again and again for what never came"
    assert told.reasons == [f"test-hidden: {reason}", f"last: {reason}"]


def test_who_comes_after_another_is_judged_as_if_alone(tmp_path):
    """One referee runs both, and nothing is left of the first when the second begins."""
    root = make_course(tmp_path, "hw", {"one": CELLS})
    hand_in(root, "ada", "hw", "one", {"c_strides": "def c_strides(size):\n    return size"})
    hand_in(root, "ben", "hw", "one", {"c_strides": "c_stride = None"})
    shown = []
    for learners in (["ben"], ["ada", "ben"]):
        grader = Grader(root, "hw", jobs=1, again=True)
        try:
            assert len([*grader.grade(learners)]) == len(learners)
        finally:
            grader.close()
        shown.append(graded_cells(root, "ben", "hw", "one"))
    assert shown[0] == shown[1]
    assert "is not defined" in str(shown[0]["test-visible"]["outputs"])


# A tenth of a second for each call. (That computing counts in the same way: `test_engine`.)
SLOW = (
    STRIDES
    + """
import time
strides = c_strides

def c_strides(size):
    time.sleep(0.1)
    return strides(size)
"""
)


def test_a_slow_function_gets_its_points(tmp_path):
    """It is asked what there is time for. Slow and wrong gains nothing: see `test_engine`."""
    root = make_course(tmp_path, "hw", {"one": [*CELLS[:2], CELLS[3]]})
    hand_in(root, "ada", "hw", "one", {"c_strides": SLOW})
    told = outcomes(grade(root, "hw", "--json"))
    assert told["ada"]["points"] == 3
    said = graded_cells(root, "ada", "hw", "one")["test-hidden"]["outputs"]
    assert "cases that there was time for, of 1," in said[0]["text"]


def test_who_takes_long_to_end_is_killed_once(monkeypatch):
    """Whoever frees gigabytes is there for a while after he was killed. The first goes last."""
    script = "sleep 60 & sleep 60 & echo; wait"
    first = subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        first.stdout.readline()
        killed = []
        with monkeypatch.context() as patched:
            patched.setattr(os, "kill", lambda number, _: killed.append(number))
            Processes(first.pid, is_apart=False).kill()
        assert len(killed) == len({*killed}) == 3
        assert killed[-1] == first.pid
    finally:
        Processes(first.pid, is_apart=False).kill()
        first.communicate()


def test_who_hangs_up_and_goes_on_is_not_waited_for(monkeypatch):
    """Its guard has nothing to tell, for it has not ended. It is not run as if it was killed."""
    monkeypatch.setattr(supervision, "_PATIENCE", 0.1)
    mine, theirs = requests()
    first = subprocess.Popen(["sleep", "60"])
    control, held = socket.socketpair()

    def begin():
        guard, channel = map(Channel.of_descriptor, receive_descriptors(theirs))
        guard.send({"first": first.pid, "namespaces": True})
        guard.send({"files": None})
        socket.send_fds(channel.socket, [b"."], [held.fileno()])
        channel.receive()
        channel.close()
        first.wait()
        guard.close()

    with mine, theirs, control, held:
        beginning = Thread(target=begin)
        beginning.start()
        learner = supervision.Supervised(mine, supervision.Budgets(), lambda _: None)
        learner.start(None)
        with pytest.raises(supervision.DeathError) as died:
            learner.ask({"do": "cell"})
        beginning.join()
        os.close(learner.folder)
    assert died.value.reason == "it closed the connection by which it is asked"
    assert not died.value.is_killed


def test_of_what_module_a_cell_is_nobody_looks_for(tmp_path, monkeypatch):
    """A traceback asks it of each frame, several times; each took a millisecond."""
    code = "given = 1"
    cell = compile(code, Compiler().cache(code), "exec")
    assert inspect.getmodule(cell) is sys.modules["__main__"]
    # What runs in a folder that is gone runs all the same.
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert Compiler().cache(code) == cell.co_filename
