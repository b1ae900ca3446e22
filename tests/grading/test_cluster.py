"""`stridekit grade --scheduler`: the same gradebook as without, whoever ends on the way."""

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from stridekit import command
from stridekit.errors import CommandError
from stridekit_grading import runners
from stridekit_grading.results import environment
from stridekit_grading.runners import Machine
from stridekit_grading.sandbox.channel import ChannelError
from tests import ROOT, warm
from tests.grading.small_courses import (
    check,
    grade,
    hand_in,
    make_course,
    manual,
    outcomes,
    rows,
    solution,
)
from tests.grading.test_command import refused
from tests.grading.test_interruptions import (
    caught,
    descendants,
    graded,
    is_alive,
    results,
    wait_for,
    with_a_sleeper,
)

CELLS = [
    solution("double", "def double(x):\n    return 2 * x"),
    check("test-double", "assert double(2) == 4", 2),
    solution("triple", "def triple(x):\n    return 3 * x"),
    check("test-triple", "assert triple(2) == 6", 1),
    manual("why", 4),
]
RIGHT = {"double": "def double(x):\n    return x + x", "triple": "def triple(x): return x * 3"}
CLASS = {
    "ada": RIGHT,
    "bert": {**RIGHT, "double": "def double(x):\n    return open('mine.txt').read()"},
    "cleo": {**RIGHT, "triple": "import os\nos._exit(3)"},
    "dora": {**RIGHT, "double": "double = lambda x: 2 * x * bool(open('numbers.txt').read())"},
    "emil": {"double": "import time\ntime.sleep(0.5)"},
    "fay": RIGHT,
}
# As long as nothing else sleeps.
KILLER = {**RIGHT, "double": "import subprocess\nsubprocess.run(['sleep', '4321.25'])"}


def class_in(root):
    """Right, wrong, a process that ends, nothing done, and a notebook that is none."""
    make_course(root, "hw", {"one": CELLS})
    (root / "source" / "hw" / "numbers.txt").write_text("1 2 3")
    # With one secret for all, workers know the plan after the first test.
    (root / ".grading").mkdir(mode=0o700)
    (root / ".grading" / "secret").write_text("5" * 64)
    for learner, answers in CLASS.items():
        folder = hand_in(root, learner, "hw", "one", answers)
        (folder / "mine.txt").write_text(learner)
        if learner == "fay":
            (folder / "one.ipynb").write_text("{")
    return root


@contextmanager
def dask(*arguments, env=None):
    """A scheduler, or workers, in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", *map(str, arguments), "--no-dashboard"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **(env or {})},
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


@contextmanager
def scheduler_in(folder):
    """A scheduler; gives its process and its address."""
    file = folder / "scheduler.json"
    where = ("--scheduler-file", file, "--host", "127.0.0.1", "--port", "0")
    # Whoever ends two workers ends no third.
    env = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
    with dask("scheduler", *where, env=env) as process:
        # It is there before it is written.
        wait_for(lambda: file.exists() and file.read_text("utf-8").endswith("}"))
        yield process, json.loads(file.read_text("utf-8"))["address"]


def workers_of(address, folder, count=1, env=None):
    """Workers of one thread each, with a nanny for each."""
    many = ("--nworkers", count, "--nthreads", "1", "--local-directory", folder)
    return dask("worker", address, *many, env=env)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The class, graded on one machine."""
    root = class_in(tmp_path_factory.mktemp("undisturbed"))
    done = grade(root, "hw")
    assert done.returncode == 0, done.stderr
    return root


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory):
    """A scheduler and two workers; gives the address, and the process whose children they are."""
    folder = tmp_path_factory.mktemp("cluster")
    with scheduler_in(folder) as (_, address), workers_of(address, folder, 2) as process:
        yield address, process.pid


def assert_as_undisturbed(root, undisturbed):
    """The gradebook row by row, and autograded/ file by file."""
    assert rows(root) == rows(undisturbed)
    assert graded(root) == graded(undisturbed)


def test_the_same_gradebook(tmp_path, undisturbed, two_workers):
    """Row by row; and what was run there is known here."""
    address, _ = two_workers
    root = class_in(tmp_path)
    done = grade(root, "hw", "--scheduler", address, "--csv", "points.csv")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "Isolation, as tried: sealed: bubblewrap" in done.stdout
    assert (root / "points.csv").exists()
    assert_as_undisturbed(root, undisturbed)
    known = results(root)
    done = grade(root, "hw", "--json")
    assert results(root) == known
    assert {name: each["status"] for name, each in outcomes(done).items()} == {
        **dict.fromkeys(CLASS, "graded"),
        "cleo": "partly graded",
        "fay": "needs a human",
    }
    done = grade(root, "hw", "--scheduler", address, "--again", "--learner", "bert", "--json")
    assert [*outcomes(done)] == ["bert"]
    assert len({*results(root).items()} - {*known.items()}) == 1


def test_files_of_the_notebook_before(tmp_path, two_workers):
    """They are there for the next of the same learner, whichever worker runs it."""
    cells = {
        "a": [solution("leave", "pass"), check("test-leave", "assert file")],
        "b": [solution("find", "pass"), check("test-find", "assert open('left.txt').read()")],
    }
    root = make_course(tmp_path, "hw", cells)
    for name in cells:
        hand_in(root, "ada", "hw", name, {"leave": "file = open('left.txt', 'w')\nfile.write('1')"})
        hand_in(root, "bert", "hw", name, {})
    told = outcomes(grade(root, "hw", "--scheduler", two_workers[0], "--json"))
    assert {name: each["cells"] for name, each in told.items()} == {
        "ada": {"test-leave": 1, "test-find": 1},
        "bert": {"test-leave": 0, "test-find": 0},
    }


def started(root, address):
    """The command, in a process of its own."""
    command = ("-m", "stridekit", "grade", "hw", "--json", "--scheduler", address)
    return subprocess.Popen(
        warm.python(warm.GRADING, *command),
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def worker_that_runs(nanny, command):
    """The worker below which this command runs, or None."""
    for each, line in descendants(nanny).items():
        if "spawn_main" in line and any(command in below for below in descendants(each).values()):
            return each
    return None


def test_a_worker_that_is_killed(tmp_path, undisturbed, two_workers):
    """Another takes its place, and all is graded. Nothing that it ran goes on."""
    address, nanny = two_workers
    below = {}

    def killed(_):
        if worker := worker_that_runs(nanny, "sandbox.server"):
            below.update(descendants(worker))
            os.kill(worker, signal.SIGKILL)
        return worker

    root, process = caught(tmp_path, class_in, lambda root: started(root, address), killed)
    _, said = process.communicate()
    assert process.returncode == 0, said
    assert_as_undisturbed(root, undisturbed)
    wait_for(lambda: not any(map(is_alive, below)))


def test_a_submission_that_kills_two_workers(tmp_path, two_workers):
    """It is tried again alone, and needs a human, who is told why. Nobody else does."""
    address, nanny = two_workers
    root = class_in(tmp_path)
    hand_in(root, "killer", "hw", "one", KILLER)
    process = started(root, address)
    for _ in range(4):
        wait_for(lambda: worker_that_runs(nanny, "4321.25") or process.poll() is not None)
        os.kill(worker_that_runs(nanny, "4321.25"), signal.SIGKILL)
        wait_for(lambda: not worker_that_runs(nanny, "4321.25"))
    printed, said = process.communicate()
    assert process.returncode == 0, said
    told = {each["learner"]: each for each in json.loads(printed)}
    assert told["killer"]["status"] == "needs a human"
    assert told["killer"]["reasons"] == [runners.LOST]
    assert told["killer"]["points"] is None
    assert {told[name]["status"] for name in ("ada", "bert", "dora", "emil")} == {"graded"}
    # Nothing is kept of it: the next run tries it again, and enters what comes of it.
    shutil.rmtree(root / "submitted" / "killer")
    hand_in(root, "killer", "hw", "one", RIGHT)
    done = grade(root, "hw", "--scheduler", address, "--learner", "killer", "--json")
    assert outcomes(done)["killer"]["status"] == "graded"


def test_who_is_lost_with_another(tmp_path, monkeypatch, undisturbed):
    """Each is tried again once all others are over, and nothing runs beside it."""
    root = class_in(tmp_path)
    lost, running, beside = [], set(), []
    submit, result = Machine.submit, Machine.result

    def submits(machine, job):
        beside.append(len(running))
        running.add(future := submit(machine, job))
        return future

    def tells(machine, future):
        running.discard(future)
        told = result(machine, future)
        if len(lost) < 3:
            lost.append(future)
            return [{"broken": runners.LOST}]
        return told

    monkeypatch.setattr(Machine, "submit", submits)
    monkeypatch.setattr(Machine, "result", tells)
    monkeypatch.chdir(root)
    assert command.main(["grade", "hw", "--jobs", "2"]) == 0
    assert beside[5:] == [0, 0, 0]
    assert_as_undisturbed(root, undisturbed)


def test_a_scheduler_that_is_lost(tmp_path, undisturbed):
    """One sentence; what was graded is entered, and the same command without it goes on."""
    root = class_in(tmp_path / "course")
    sleeper = with_a_sleeper(root)
    with scheduler_in(tmp_path) as (process, address), workers_of(address, tmp_path):
        command = started(root, address)
        wait_for(lambda: results(root) or command.poll() is not None)
        process.kill()
        _, said = command.communicate()
    assert command.returncode == 1
    assert said.startswith(f"stridekit: the scheduler at {address} is gone. ")
    assert "run the same command again to go on." in said
    assert "Traceback" not in said
    finished = results(root)
    assert finished
    shutil.rmtree(sleeper)
    done = grade(root, "hw")
    assert done.returncode == 0, done.stderr
    assert results(root).items() >= finished.items()
    assert_as_undisturbed(root, undisturbed)


def test_no_workers_and_wrong_ones(tmp_path, monkeypatch, capsys):
    """A scheduler alone runs nothing, and results of another stridekit would be others."""
    root = class_in(tmp_path / "course")
    other = tmp_path / "other"
    shutil.copytree(ROOT / "stridekit", other / "stridekit")
    with (other / "stridekit" / "errors.py").open("a") as file:
        file.write("# Another version.\n")
    monkeypatch.chdir(root)
    with scheduler_in(tmp_path) as (_, address):
        monkeypatch.setattr(runners, "FIRST_WORKER", 0.5)
        assert command.main(["grade", "hw", "--scheduler", address]) == 1
        said = capsys.readouterr().err
        assert said.startswith(f"stridekit: the scheduler at {address} has no workers. Start some")
        env = {"PYTHONPATH": str(other)}
        with workers_of(address, tmp_path, env=env):
            monkeypatch.setattr(runners, "FIRST_WORKER", 60)
            assert command.main(["grade", "hw", "--scheduler", address]) == 1
    said = capsys.readouterr().err
    assert said.startswith("stridekit: a worker says: it has a stridekit whose code differs, and ")


def test_no_scheduler(tmp_path, monkeypatch, capsys):
    """Nobody is there, or it is no address at all."""
    monkeypatch.chdir(class_in(tmp_path))
    monkeypatch.setattr(runners, "CONNECT", 0.5)
    for address, fragment in {
        "tcp://127.0.0.1:1": "no scheduler answers at 'tcp://127.0.0.1:1' (",
        "here": "no scheduler answers at 'here' (missing port number in address 'here'). ",
        "": "no scheduler answers at '' (missing port number in address ''). ",
        "tls://127.0.0.1:1": "no scheduler answers at 'tls://127.0.0.1:1' (Dask's configuration ",
        "ftp://127.0.0.1:1": "no scheduler answers at 'ftp://127.0.0.1:1' (unknown address scheme",
    }.items():
        assert command.main(["grade", "hw", "--scheduler", address]) == 1
        said = capsys.readouterr().err
        assert said.startswith(f"stridekit: {fragment}")
        assert said.count("\n") == 1


def test_what_does_not_go_with_it(tmp_path):
    """Threads of workers are jobs; and Dask must be there."""
    root = class_in(tmp_path / "course")
    done = grade(root, "hw", "--scheduler", "tcp://127.0.0.1:1", "--jobs", "2")
    refused(done, "--jobs is for one machine. ", "--nthreads")
    fake = tmp_path / "fake"
    fake.mkdir()
    (fake / "distributed.py").write_text("raise ImportError")
    done = grade(root, "hw", "--scheduler", "tcp://127.0.0.1:1", env={"PYTHONPATH": str(fake)})
    said = '--scheduler needs Dask, which is not here: pip install "stridekit-grading[cluster]".'
    refused(done, said)


# A worker, in this process.


class Server:
    """What stands for a server that runs nothing."""

    running = 0

    def __init__(self, *_, **__):
        Server.running += 1

    def __del__(self):
        Server.running -= 1

    def run(self, job, *_):
        """The job itself."""
        if "ends it" in job:
            raise ChannelError
        return {"job": job, "isolation": self.isolation}


def plan(name, here=None):
    """A plan, as it comes to a worker."""
    asked = {"here": [*(here or environment())], "imports": [], "trust": False}
    return json.dumps({**asked, "name": name})


@pytest.fixture
def servers(monkeypatch):
    """A worker that starts nothing."""
    runners._server_for.cache_clear()
    monkeypatch.setattr(runners, "Server", Server)
    monkeypatch.setattr(
        runners, "try_out", lambda server, *_: setattr(server, "isolation", {"gaps": []})
    )
    yield
    runners._server_for.cache_clear()


@pytest.mark.usefixtures("servers")
def test_a_worker_keeps_few_servers():
    """Those that were asked for last; and none that has ended."""
    for name in "abca":
        assert runners.execute(plan(name), "{}")["job"] == {}
    assert Server.running == 2
    told = {"job": {"one": 1}, "isolation": {"gaps": []}}
    assert runners.execute(plan("a"), '{"one": 1}') == told
    assert Server.running == 2
    assert runners.execute(plan("a"), '{"ends it": 1}') == [runners.ENDLESS]
    assert Server.running == 0


@pytest.mark.usefixtures("servers")
def test_a_worker_that_seals_nothing(monkeypatch):
    """It says so, and keeps nothing."""

    def refuse(*_):
        raise CommandError("learners' code is not shut in here.")

    monkeypatch.setattr(runners, "try_out", refuse)
    with pytest.raises(CommandError, match=r"^learners' code is not shut in here\.$"):
        runners.execute(plan("a"), "{}")
    assert Server.running == 0


@pytest.mark.usefixtures("servers")
def test_a_worker_of_another_version_starts_nothing():
    """It says what differs, in words."""
    _, *here = environment()
    theirs = [environment()[0], "python 3.6", "torch 2.6", *here[2:]]
    with pytest.raises(CommandError) as refused_it:
        runners.execute(plan("a", theirs), "{}")
    said = f"it has {here[0]} in place of python 3.6, {here[1]} in place of torch 2.6, and results"
    assert str(refused_it.value).startswith(said)
    assert Server.running == 0
