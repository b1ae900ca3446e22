"""A grader that is killed, stopped or out of room: the same command again ends as if nothing was.

What was finished is not run again, and nothing of a killed grader is left running.
"""

import contextlib
import json
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
import weakref
from pathlib import Path

import pytest

from stridekit.errors import CommandError
from stridekit_grading.commands import _interrupts
from stridekit_grading.isolation import try_out
from stridekit_grading.sandbox.channel import Channel, ChannelError
from stridekit_grading.sandbox.launch import ENDLESS, Server
from tests import warm
from tests.grading.small_courses import (
    check,
    grade,
    hand_in,
    make_course,
    manual,
    rows,
    solution,
)

CLASS = ["ada", "bert", "cleo", "dora", "emil", "fay"]
CELLS = [
    solution("double", "def double(x):\n    return 2 * x"),
    check("test-double", "assert double(2) == 4", 2),
    manual("why", 4),
]
COMMAND = [sys.executable, "-m", "stridekit", "grade", "hw", "--jobs", "1"]
# Whoever waits longer than this waits for ever.
PATIENCE = 300
# As long as nothing else sleeps.
MOMENT = "import subprocess\nsubprocess.run(['sleep', '0.4321'])"


def class_in(root):
    """Everybody takes a moment, so that there is something to interrupt."""
    make_course(root, "hw", {"one": CELLS})
    for number, learner in enumerate(CLASS):
        work = f"{MOMENT}\ndef double(x):\n    return x + {number % 2} + x"
        hand_in(root, learner, "hw", "one", {"double": work, "why": learner})
    return root


def with_a_sleeper(root):
    """He comes last and has no end: whoever interrupts comes in time, on the slowest machine."""
    return hand_in(root, "zoe", "hw", "one", {"double": "import time\ntime.sleep(10**6)"}).parent


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """A course that was graded in one go."""
    root = class_in(tmp_path_factory.mktemp("undisturbed"))
    done = grade(root, "hw", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    return root


def graded(root):
    """The graded notebooks and who may read them; the secret of a course is in their keys."""
    found = {}
    for path in sorted((root / "autograded").rglob("*")):
        content = ""
        if path.suffix == ".ipynb":
            content = json.loads(path.read_text("utf-8"))
            del content["metadata"]["stridekit"]["key"]
        found[path.relative_to(root).as_posix()] = oct(path.stat().st_mode), content
    return found


def assert_as_undisturbed(root, undisturbed):
    """The gradebook row by row, and autograded/ file by file."""
    assert rows(root) == rows(undisturbed)
    assert graded(root) == graded(undisturbed)


def results(root):
    """What is finished, and when it was written."""
    return {path.name: path.stat().st_mtime_ns for path in root.glob(".grading/results/[!.]*")}


def descendants(process):
    """The numbers of all processes below one, with the commands that they run."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            told = stat.read_text("utf-8", "replace").rpartition(")")[2]
            parents[int(stat.parent.name)] = int(told.split()[1])
    found = {process}
    while more := {each for each, parent in parents.items() if parent in found} - found:
        found |= more
    commands = {}
    for each in found - {process}:
        with contextlib.suppress(OSError):
            commands[each] = Path(f"/proc/{each}/cmdline").read_text("utf-8", "replace")
    return commands


def is_alive(process):
    """Whether it runs; one that only waits to be asked for its end does not."""
    stat = _stat(process)
    return bool(stat) and stat[0] not in "ZX"


def wait_for(holds):
    """Wait for something that must come."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


def start(root):
    """The command, in a process of its own."""
    return subprocess.Popen(
        COMMAND, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def run_until(root, holds):
    """Start the command, and give it when this holds, or when it has ended."""
    process = start(root)
    wait_for(lambda: holds() or process.poll() is not None)
    return process


def caught(folder, course, begin, catches):
    """Begin in a course, and do to the process what gives whether it came in time.

    Whoever stands still for long, as on a busy machine, comes when all is over: then once more.
    """
    for attempt in range(9):
        root = course(folder / str(attempt))
        process = begin(root)
        while process.poll() is None:
            if results(root) and catches(process):
                return root, process
            time.sleep(0.05)
        process.communicate()
    raise AssertionError("it never came in time")


def end(root, count):
    """The same command until it ends well; nothing that was finished is run again."""
    finished = results(root)
    assert len(finished) >= count
    done = grade(root, "hw", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    after = results(root)
    assert {name: after[name] for name in finished} == finished
    assert len(after) == len(CLASS)


def test_a_killed_grader(tmp_path, undisturbed):
    """Again and again, after one more notebook each time, and at moments drawn by chance."""
    root = class_in(tmp_path)
    chance = random.Random(16)
    for count in (0, 2):
        process = run_until(root, lambda count=count: len(results(root)) >= count)
        time.sleep(chance.random())
        below = descendants(process.pid)
        process.kill()
        process.communicate()
        wait_for(lambda below=below: not any(map(is_alive, below)))
    end(root, 2)
    assert_as_undisturbed(root, undisturbed)


def test_kills_at_any_moment(tmp_path, undisturbed):
    """From the first to the last: while it registers, runs, and writes."""
    root = class_in(tmp_path)
    chance = random.Random(38)
    for _ in range(14):
        process = subprocess.Popen(
            warm.python(warm.GRADING, *COMMAND[1:]),
            cwd=root,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(chance.uniform(0, 4))
        process.kill()
        process.wait()
    done = grade(root, "hw")
    assert done.returncode == 0, done.stderr
    assert_as_undisturbed(root, undisturbed)


def test_a_killed_server(tmp_path, undisturbed):
    """One sentence says that it has ended, and what to do."""
    root = class_in(tmp_path)
    sleeper = with_a_sleeper(root)
    process = run_until(root, lambda: len(results(root)) >= 2)
    below = descendants(process.pid)
    servers = [each for each, command in below.items() if "grading.sandbox.server" in command]
    assert servers
    # The first first, with which all others end: while it lives, it runs once more what they ran.
    for each in sorted(servers, key=_began):
        with contextlib.suppress(ProcessLookupError):  # It may have been at its end.
            os.kill(each, signal.SIGKILL)
        wait_for(lambda each=each: not is_alive(each))
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert said.startswith("stridekit: the server that runs notebooks has ended: ")
    assert "run the same command again to go on." in said
    assert "Traceback" not in said
    wait_for(lambda: not any(map(is_alive, below)))
    shutil.rmtree(sleeper)
    end(root, 2)
    assert_as_undisturbed(root, undisturbed)


def test_a_server_that_ends_with_a_referee():
    """It is said at once, and not of the notebook, which may have been run for the last time."""
    server = Server([], trust=True)
    for is_there in (True, False):
        if not is_there:
            server.process.kill()
            server.process.wait()
        mine, theirs = socket.socketpair()
        theirs.close()
        server._idle.append(Channel(mine))
        expected = contextlib.nullcontext() if is_there else pytest.raises(ChannelError)
        with expected:
            assert server.run({"notebooks": [{}]}, print) == [ENDLESS]
    server.close()


def test_a_learner_s_process_that_somebody_else_kills(tmp_path, undisturbed):
    """A kernel without memory, say. It is run once more, and costs the learner nothing."""
    root, process = caught(tmp_path, class_in, start, killed_in_its_moment)
    output, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said
    assert "partly graded" not in output
    assert_as_undisturbed(root, undisturbed)


def killed_in_its_moment(process):
    """Kill the learner's process below one whose cell takes its moment; whether there was one."""
    for each, command in descendants(process.pid).items():
        if "0.4321" in command and (stat := _stat(each)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(stat[1]), signal.SIGKILL)
                return True
    return False


def _began(process):
    """When a process was started, in ticks; one that has ended counts as the youngest."""
    stat = _stat(process)
    return int(stat[19]) if stat else sys.maxsize, process


def _stat(process):
    """What /proc tells of a process after its name: state, parent and more; nothing if it ended."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text("utf-8", "replace")
    except OSError:
        return []
    return stat.rpartition(")")[2].split()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_grader_that_is_asked_to_stop(tmp_path, undisturbed, number):
    """It stops, without a traceback; what it started ends with it."""
    root = class_in(tmp_path)
    sleeper = with_a_sleeper(root)
    process = run_until(root, lambda: len(results(root)) >= 1)
    below = descendants(process.pid)
    process.send_signal(number)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode != 0
    assert "Traceback" not in said
    wait_for(lambda: not any(map(is_alive, below)))
    shutil.rmtree(sleeper)
    end(root, 1)
    assert_as_undisturbed(root, undisturbed)


def test_an_interrupt_that_comes_in_a_callback_is_heard_without_a_traceback(monkeypatch, capsys):
    """What a callback of Python's own raises goes nowhere, and so it is told on stderr."""
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)
    gone = {1}
    with _interrupts() as came:
        _ = weakref.ref(gone, lambda _: signal.raise_signal(signal.SIGINT))
        del gone
    assert came == [signal.SIGINT]
    assert capsys.readouterr().err == ""
    assert sys.unraisablehook is sys.__unraisablehook__


def test_whoever_starts_it_may_ignore_that_children_end(tmp_path, undisturbed):
    """As some daemons do; bubblewrap would wait for ever."""
    root = class_in(tmp_path)
    ignored = signal.SIGCHLD, signal.SIG_IGN
    done = grade(root, "hw", preexec_fn=lambda: signal.signal(*ignored), timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert_as_undisturbed(root, undisturbed)


def test_that_children_end_may_be_ignored_on_a_worker():
    """It starts its servers in another thread, where Python changes nothing of signals."""
    starts = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from stridekit_grading.sandbox.launch import Server\n"
        "ThreadPoolExecutor(1).submit(Server, []).result().close()"
    )
    ignored = signal.SIGCHLD, signal.SIG_IGN
    subprocess.run(
        [sys.executable, "-c", starts],
        preexec_fn=lambda: signal.signal(*ignored),
        timeout=PATIENCE,
        check=True,
    )


def test_a_server_that_is_killed_while_it_starts(monkeypatch):
    """It is said what to do then, too."""
    server = Server([], trust=True)
    learn = server.learn
    monkeypatch.setattr(server, "learn", lambda plan: (server.process.kill(), learn(plan)))
    plan = {"secret": "", "files": {}, "checks": [], "budgets": {}, "trust": False}
    with pytest.raises(CommandError, match="killed it, or memory was short, say the same again"):
        try_out(server, plan, Path("none"))
    server.close()


# What is done where the disk is full, in a file system of a few megabytes.
FULL = """
set -e
mount -t tmpfs -o size=6m none "$1"
cp -rp "$2"/. "$1"
cd "$1"
dd if=/dev/zero of=filling bs=4096 2> "$3/dd" || true
set +e
"$4" -m stridekit grade hw > "$3/out" 2> "$3/err"
echo $? > "$3/status"
rm filling
"$4" -m stridekit grade hw --json > "$3/again" 2> "$3/err-again"
echo $? > "$3/status-again"
cp -rp "$1" "$3/course"
"""


def on_a_full_disk(root, told):
    """Grade where there is no room, then where there is, in a file system of its own."""
    small = told / "small"
    small.mkdir()
    of_a_user = ["--user", "--map-root-user"] if os.getuid() else []
    arguments = [*map(str, (small, root, told)), sys.executable]
    made = subprocess.run(
        ["unshare", *of_a_user, "--mount", "sh", "-c", FULL, "sh", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    return told / "course"


def test_a_full_disk(tmp_path, undisturbed):
    """One clear sentence, a status that says so, and the next run completes."""
    root = class_in(tmp_path / "course")
    done = grade(root, "hw", "--learner", "ada")
    assert done.returncode == 0, done.stderr
    told = tmp_path / "told"
    told.mkdir()
    after = on_a_full_disk(root, told)
    said = (told / "err").read_text() + (told / "out").read_text()
    assert (told / "status").read_text().strip() == "1", said
    assert "Traceback" not in said
    assert "No space left" in said or "full" in said or "too large" in said, said
    assert (told / "status-again").read_text().strip() == "0", (told / "err-again").read_text()
    assert_as_undisturbed(after, undisturbed)


def test_a_quota_that_is_used_up(tmp_path, undisturbed):
    """SQLite takes it for a fault of the disk; what helps is room."""
    root = class_in(tmp_path / "course")
    most = (50_000, resource.getrlimit(resource.RLIMIT_FSIZE)[1])
    done = grade(root, "hw", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, most))
    assert done.returncode == 1, done.stderr
    assert "Make room, then run the same command again" in done.stderr
    assert "damaged" not in done.stderr
    end(root, 0)
    assert_as_undisturbed(root, undisturbed)


def test_a_folder_that_cannot_be_written(tmp_path, undisturbed):
    """What is graded cannot be put there: it says so, and the next run completes."""
    root = class_in(tmp_path)
    (root / "autograded").write_text("a file where a folder should be")
    done = grade(root, "hw")
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    assert "Traceback" not in said
    assert "autograded" in said or "cannot be entered" in said or "could not be entered" in said
    assert "Errno" not in said
    assert len(results(root)) == len(CLASS)
    (root / "autograded").unlink()
    end(root, len(CLASS))
    assert_as_undisturbed(root, undisturbed)


def test_a_gradebook_that_is_gone(tmp_path, undisturbed):
    """It is written again from results that are kept, and nothing is run."""
    root = tmp_path / "course"
    shutil.copytree(undisturbed, root)
    (root / "gradebook.db").unlink()
    end(root, len(CLASS))
    assert_as_undisturbed(root, undisturbed)
