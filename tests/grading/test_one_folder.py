"""The notebooks of a submission have one folder: what one has written, the next one finds.

That each cell gets the points that stock nbgrader gives it, `test_styles` says.
"""

import json

import pytest

from stridekit_grading.grade import Grader
from stridekit_grading.sandbox.channel import GoneError
from stridekit_grading.sandbox.launch import Server
from tests.grading.small_courses import (
    BEGIN,
    END,
    check,
    graded_cells,
    hand_in,
    make_course,
    solution,
)

HIDDEN = "-19.265625"
FIRST = [
    solution("leave", "def leave(x):\n    return x"),
    check("test-leave", f"assert leave\n{BEGIN}\nleave({HIDDEN})\n{END}"),
]
NEXT = [solution("find", "pass"), check("test-find", "assert found")]
# All that there is in a folder, and what is in it.
LIST = """
import os, stat
for folder, _, names in os.walk("."):
    for name in sorted(names):
        path = os.path.join(folder, name)
        known = os.lstat(path)
        is_file = stat.S_ISREG(known.st_mode)
        print(ascii(path), stat.filemode(known.st_mode)[0], known.st_size if is_file else "")
        if is_file and known.st_size < 1000:
            print(open(path).read())
"""


def course(root):
    """Of two notebooks; the second is written in another one's folder."""
    return make_course(root, "hw", {"a": FIRST, "b": NEXT})


def both(root, learner, leave, find):
    """Hand in what leaves something, and what finds it."""
    for name, answers in {"a": {"leave": leave}, "b": {"find": find}}.items():
        hand_in(root, learner, "hw", name, answers)


def graded(root, learners=(), **how):
    """What came of everybody, by learner."""
    grader = Grader(root, "hw", **how)
    try:
        return {each.learner: each for each in grader.grade(grader.learners(learners))}
    finally:
        grader.close()


def shown(root, learner):
    """What the second notebook shows where it looks for files."""
    outputs = graded_cells(root, learner, "hw", "b")["find"]["outputs"]
    return "".join(each.get("text", each.get("evalue", "")) for each in outputs)


WRITE = "open('left.txt', 'w').write('written')"
READ = "found = open('left.txt').read() == 'written'"
ENDS = {
    "stopped": f"{WRITE}\nwhile True:\n    pass",
    "gone": f"import os\n{WRITE}\nos._exit(3)",
    "killed": f"import os\n{WRITE}\nos.kill(os.getpid(), 9)",
    "hears-nothing": f"import time\n{WRITE}\ntime.sleep(0)\nwhile True:\n    try:\n"
    "        while True:\n            pass\n    except KeyboardInterrupt:\n        pass",
    "failed": f"{WRITE}\n1 / 0",
    "quit-at-exit": f"import atexit, os\n{WRITE}\natexit.register(os._exit, 1)",
    "sleeps-at-exit": f"import atexit, time\n{WRITE}\natexit.register(time.sleep, 1000)",
}


@pytest.fixture(scope="module")
def however_it_ends(tmp_path_factory):
    """A class whose first notebooks end in all ways, by two at a time."""
    root = course(tmp_path_factory.mktemp("ends"))
    for name, leave in ENDS.items():
        both(root, name, leave, READ)
    both(root, "other", "pass", LIST)
    budgets = {"cell": 1.0, "again": 1.0, "asleep": 2.0, "interrupted": 1.0}
    return root, graded(root, jobs=2, budgets=budgets)


END_PROCESS = ("gone", "killed", "hears-nothing")


@pytest.mark.parametrize("name", [each for each in ENDS if each not in END_PROCESS])
def test_however_the_one_before_has_ended(however_it_ends, name):
    """Stopped, failed, or slow to end."""
    assert however_it_ends[1][name].points["test-find"] == 1


@pytest.mark.parametrize("name", END_PROCESS)
def test_a_cell_that_ends_its_process_has_written_nothing(however_it_ends, name):
    """The notebook was run again without it, and what that run has left is there."""
    assert however_it_ends[1][name].points["test-find"] == 0


def test_nobody_finds_what_another_has_written(however_it_ends):
    """Whoever runs meanwhile, or in the same processes afterwards."""
    assert shown(however_it_ends[0], "other") == ""


def test_what_was_given_up_has_left_something(however_it_ends):
    """A notebook that took too long in all."""
    root, _ = however_it_ends
    found = graded(root, ["stopped"], again=True, budgets={"cell": 60.0, "notebook": 3.0})
    assert found["stopped"].points == {"test-leave": 0, "test-find": 1}
    assert "in all" in str(found["stopped"].reasons)


@pytest.fixture
def root(tmp_path):
    """A course."""
    return course(tmp_path)


# Where a function may write down what it is called with: `place` says where it is read.
PLACES = {
    "folder": "asked.txt",
    "above": "../asked.txt",
    "top": "../../asked.txt",
    "tmp": "/tmp/asked.txt",
    "shared": "/dev/shm/asked.txt",
    "deep": "a/b/c/asked.txt",
    "home": "~/.config/asked.txt",
    "stored": "/tmp/.ipython/profile_default/db/autorestore/asked",
}
ASKED = """
import os
path = os.path.expanduser({place!r})
def tell(x):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "a") as file:
        file.write(f"asked {{x}}, ")
def leave(x):
    {does}
leave(7)
"""
# What does so later, when nobody asks any more.
LATER = {
    "at-exit": "import atexit; atexit.register(tell, x)",
    "thread": "import threading; threading.Timer(0.3, tell, [x]).start()",
    "daemon": "os.fork() or (os.setsid(), os.fork() or [*map(tell, [x] * 10**6)], os._exit(0))",
    "program": "import subprocess; subprocess.Popen(f'sleep 0.3; echo {x} >> {path}', shell=True)",
    "next-cell": "get_ipython().events.register('post_run_cell', lambda _: tell(x))",
    "shows": "get_ipython().display_pub.publish({'text/plain': str(x)}); tell(x)",
    "ends": "tell(x); x == 7 or os._exit(int(abs(x)))",
    "stops": "tell(x)\n    while x != 7: pass",
}
SHOW = """
import os, subprocess
for top in ("/tmp", "/dev/shm"):
    # Python itself may lie in /tmp, and is much to read.
    search = ["find", top, "-xdev", "-type", "f", "-exec", "grep", "-Hs", ".", "{}", "+"]
    print(subprocess.run(search, capture_output=True, text=True).stdout)
"""


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """A class whose functions write down what they are called with, and look for it afterwards."""
    root = course(tmp_path_factory.mktemp("asked"))
    for name, place in PLACES.items():
        both(root, name, ASKED.format(place=place, does="tell(x)"), SHOW)
    for name, does in LATER.items():
        both(root, name, ASKED.format(place="asked.txt", does=does), SHOW)
    budgets = {"cell": 2.0, "again": 1.0, "asleep": 3.0, "interrupted": 1.0}
    for again in (False, True):
        graded(root, again=again, budgets=budgets)
    return root


@pytest.mark.parametrize("name", [*PLACES, *LATER])
def test_what_hidden_tests_ask_is_left_to_nobody(asked, name):
    """What is handed on is of the run that has no hidden tests."""
    pages = [path.read_text("utf-8") for path in (asked / "autograded" / name).rglob("*.ipynb")]
    outputs = [cell.get("outputs") for page in pages for cell in json.loads(page)["cells"]]
    assert HIDDEN not in str(outputs)
    assert HIDDEN[1:] not in str(outputs)


@pytest.mark.parametrize("name", [name for name in PLACES if name != "shared"])
def test_what_is_asked_openly_is_handed_on(asked, name):
    """So it is no wonder that the rest is not found."""
    assert "asked 7, " in shown(asked, name)


def test_each_run_finds_what_the_one_before_has_left(root):
    """Also where a notebook is run again without the cell that ended it, and for hidden tests."""
    find = "open('left.txt', 'a').write(' again')\nprint(open('left.txt').read())"
    both(root, "ada", WRITE, find)
    more = [f"{find}\nimport os\nos._exit(1)", find]
    path = root / "submitted" / "ada" / "hw" / "b.ipynb"
    notebook = json.loads(path.read_text("utf-8"))
    plain = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    notebook["cells"] += [{**plain, "id": f"m{n}", "source": each} for n, each in enumerate(more)]
    path.write_text(json.dumps(notebook), "utf-8")
    graded(root)
    graded_notebook = root / "autograded" / "ada" / "hw" / "b.ipynb"
    *_, last = json.loads(graded_notebook.read_text("utf-8"))["cells"]
    assert last["outputs"][0]["text"] == "written again again\n"


def test_one_that_is_handed_in_anew_finds_what_another_has_written(root):
    """And one whose neighbour was not handed in, or is none, finds nothing, and is graded."""
    both(root, "ada", WRITE, "found = 1")
    assert graded(root)["ada"].points["test-find"] == 1
    hand_in(root, "ada", "hw", "b", {"find": READ})
    assert graded(root)["ada"].points["test-find"] == 1
    before = root / "submitted" / "ada" / "hw" / "a.ipynb"
    for does in (lambda: before.write_text("{"), before.unlink):
        does()
        assert graded(root)["ada"].points == {"test-leave": None, "test-find": 0}


# What must not keep anybody waiting, lead anywhere, or take more room than there is.
ODD = """
import os, socket
os.mkfifo("pipe")
socket.socket(socket.AF_UNIX).bind("socket")
os.symlink("/proc/1/environ", "link")
os.symlink("..", "up")
os.symlink("loop", "loop")
open(b"no text \\xff", "w").close()
open("line\\nbreak", "w").close()
for n in range(100):
    with open(f"huge-{n}", "w") as file:
        file.truncate(250 * 1024**2)
with open("large", "wb") as file:
    file.write(bytes(200 * 1024**2))
for n in range(100):
    os.link("large", f"same-{n}")
# Whoever must not read a file has it no more.
open("shut.txt", "w").write("mine")
os.chmod("shut.txt", 0)
os.makedirs("deep/" * 500)
"""
FINDS_ODD = """
import os
found = sorted(os.listdir("."))
assert len(found) == 209, len(found)
assert os.path.getsize("huge-99") == 250 * 1024**2
assert os.stat("huge-99").st_blocks == 0
assert os.stat("large").st_nlink == 101
assert os.readlink("link") == "/proc/1/environ"
assert os.readlink("up") == ".."
try:
    open("more", "wb").write(bytes(100 * 1024**2))
except OSError as error:
    print(error.strerror)
"""


def test_odd_things_are_left_as_they_are(root):
    """No more is there than was, and nothing of it is opened."""
    both(root, "ada", ODD, FINDS_ODD)
    assert graded(root)["ada"].points["test-find"] == 1
    assert shown(root, "ada") == "No space left on device\n"


VANDALS = {
    "no-folder": "import shutil\nshutil.rmtree('../hw')",
    "a-file-for-a-folder": "import shutil\nshutil.rmtree('../hw')\nopen('../hw', 'w').close()",
    "a-link-for-a-folder": "import os, shutil\nshutil.rmtree('../hw')\nos.symlink('/', '../hw')",
    "shut": "import os\nos.chmod('.', 0)\nos.chmod('..', 0)",
    "full": "with open('full', 'wb') as file:\n    while file.write(bytes(1 << 20)):\n        pass",
    "full-of-names": "n = 0\nwhile True:\n    open(str(n), 'w').close()\n    n += 1",
}


def test_who_spoils_his_own_folder_is_alone_in_it(root):
    """Others get their points, and nobody waits."""
    for name, leave in VANDALS.items():
        both(root, name, leave, "found = 1")
    both(root, "other", WRITE, READ)
    found = graded(root)
    assert found.pop("other").points["test-find"] == 1
    assert {name: each.points["test-find"] for name, each in found.items()} == {
        **dict.fromkeys(VANDALS, 1),
        **dict.fromkeys(("a-file-for-a-folder", "shut")),
    }
    assert "cannot be laid out" in str(found["a-file-for-a-folder"].reasons)


def test_where_a_referee_ends_what_was_run_before_counts(root, monkeypatch):
    """What is left needs a human."""
    heard = []

    def told_by(server, *how):
        heard.append(None)
        # The first is where the sandbox is tried; then each second notebook.
        if len(heard) in (3, 5):
            raise GoneError("somebody has ended it")
        return whole(server, *how)

    whole = Server.told_by
    monkeypatch.setattr(Server, "told_by", told_by)
    both(root, "ada", "def leave(x):\n    pass", "found = True")
    ada = graded(root)["ada"]
    assert ada.points["test-leave"] == 1
    assert not ada.points["test-find"]
    (reason,) = ada.reasons
    assert "its tests never came to an end" in reason
    assert len(heard) == 5
