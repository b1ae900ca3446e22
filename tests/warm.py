"""Python that has imported what takes long, for tests that need a process of their own.

Most of what a notebook or a command of nbgrader's takes is the import of torch or of nbgrader's
apps. So they are imported once for a run of pytest, whichever worker asks first, in a process that
does nothing else, and each test gets a fork of it: with its own folder, environment, input and
output, and its end is the end of the command that asked for it. The one that commands are forked
from has graded a notebook, too: what is compiled and looked up on the way is there for all.

The servers that such a command runs notebooks in are forks as well, of one that is behind
bubblewrap. Tests that are about servers have a command start from nothing.
"""

import atexit
import gc
import io
import json
import logging
import marshal
import os
import pkgutil
import runpy
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

# Where a process has no file descriptor, each is started anew.
CAN_FORK = hasattr(os, "pidfd_open") and hasattr(os, "fork")
ASK = (sys.executable, "-S", "-E", "-P", str(Path(__file__).with_name("ask.py")))
KERNEL = (
    *("ipykernel.kernelapp", "ipykernel.ipkernel", "ipywidgets", "anywidget", "numpy", "torch"),
    # The last for a torch mode, which imports it.
    *("matplotlib.pyplot", "matplotlib_inline.backend_inline", "torch._dynamo"),
    *("stridekit_course", "stridekit.explorers.widgets", "stridekit.own_code.watching"),
)
GRADING = (
    *("nbgrader.apps.nbgraderapp", "nbgrader.api"),
    *("stridekit_grading.grade", "stridekit_grading.report", "stridekit_grading.feedback"),
)
SERVER = ("stridekit_grading.sandbox.server",)
# What notebooks of our own courses import.
OF_NOTEBOOKS = ("matplotlib", "numpy", "stridekit", "stridekit_course", "torch")


def python(imported: Sequence[str], *arguments: str) -> list[str]:
    """The command that runs `python -m ...` in a process with these modules imported.

    Its arguments are those of Python, "-m" first.
    """
    if not CAN_FORK:
        return [sys.executable, *arguments]
    return [*ASK, _server(tuple(imported)), "", *arguments]


def kernel() -> dict[str, object]:
    """What `kernel.json` says of a kernel that has imported torch and matplotlib."""
    return {
        "argv": python(KERNEL, "-m", "ipykernel_launcher", "-f", "{connection_file}"),
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "interrupt_mode": "message",
    }


def environment() -> dict[str, str]:
    """This process's, but that commands of a class and kernels of notebooks are warm."""
    path = os.pathsep.join([_commands(), str(Path(sys.executable).parent), os.environ["PATH"]])
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
    return {**kept, "PATH": path, "JUPYTER_PATH": _commands()}


@cache
def _commands() -> str:
    """A folder for the front of PATH, with kernels for JUPYTER_PATH."""
    folder = tempfile.mkdtemp(prefix="commands-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name in ("nbgrader", "stridekit"):
        command = Path(folder) / name
        warm = shlex.join(python(GRADING, "-m", name))
        command.write_text(f'#!/bin/sh\nexec {warm} "$@"\n', "utf-8")
        command.chmod(0o755)
    python3 = Path(folder) / "kernels" / "python3"
    python3.mkdir(parents=True)
    (python3 / "kernel.json").write_text(json.dumps(kernel()), "utf-8")
    return folder


@cache
def _server(imported: tuple[str, ...]) -> str:
    """Where the process listens that is forked; it ends with the run that asks for it."""
    from filelock import FileLock  # Not where a test's command begins, which is to be quick.

    owner = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    folder = Path(tempfile.gettempdir()) / f"stridekit-warm-{owner}"
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / f"{len(imported)} from {imported[0]}"
    with FileLock(folder / "lock"):
        if not path.exists():
            owns = os.pidfd_open(owner)
            _start(path, owns, imported, [], {**os.environ})
            os.close(owns)
    return str(path)


def _start(
    path: Path, owns: int, imported: Sequence[str], within: list[str], environment: dict[str, str]
) -> None:
    """Start the process that listens there."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        for each in (listener.fileno(), owns):
            os.set_inheritable(each, True)
        told = (str(listener.fileno()), str(owns), str(path.parent))
        command = [*within, sys.executable, __file__, *told, *imported]
        os.posix_spawn(command[0], command, environment)
        os.set_inheritable(owns, False)


def serve(number: str, owner: str, folder: str, *imported: str) -> None:
    """Import, then fork whenever somebody asks; comes back in forks, ready to run a module."""
    owns = int(owner)
    before = warnings.filters[:]
    listener = socket.socket(fileno=int(number))
    watched = select.poll()
    for each in (listener, owns):
        watched.register(each, select.POLLIN)
    is_ready = False
    # Who asked, and who was forked for that, by what tells how it ends.
    running: dict[int, tuple[socket.socket, int]] = {}
    while True:
        ready = {each for each, _ in watched.poll()}
        for ends, (far, child) in [*running.items()]:
            # Whoever asks may be gone, and then nobody needs it any more.
            if owns in ready or far.fileno() in ready:
                os.kill(child, signal.SIGKILL)
            elif ends not in ready:
                continue
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            for each in (ends, far):
                watched.unregister(each)
            with far, suppress(OSError):
                far.sendall(str(status % 256).encode())
            os.close(ends)
            del running[ends]
        if owns in ready:
            shutil.rmtree(folder, ignore_errors=True)
            os._exit(0)
        if listener.fileno() not in ready:
            continue
        if not is_ready:
            _get_ready(imported, owns, Path(folder))
            is_ready = True
        far, _ = listener.accept()
        child = os.fork()
        if child == 0:
            for ends, (other, _) in running.items():
                os.close(ends)
                other.close()
            listener.close()
            os.close(owns)
            warnings.filters[:] = before
            _become(far)
            return
        ends = os.pidfd_open(child)
        running[ends] = far, child
        watched.register(ends, select.POLLIN)
        # What it says is read in the fork; here, whether it is gone.
        watched.register(far, select.POLLRDHUP)


def _get_ready(imported: Sequence[str], owns: int, folder: Path) -> None:
    """Import, and do what all would do first."""
    # Imports leave no garbage, and looking for it takes a fifth of their time.
    gc.disable()
    # What warns on its way in fails here, as it does in notebooks that are run strictly.
    warnings.simplefilter("error")
    # A grammar of web addresses that nobody asks for: it takes a second, see tests/conftest.py.
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    for name in imported:
        __import__(name)
    if imported == GRADING:
        import nbgrader.api

        nbgrader.api.create_engine = _engines()
        _fork_servers(owns, folder / "servers")
        _grade_once()
        nbgrader.api.get_alembic_version = cache(_newest_tables)
        nbgrader.api.get_alembic_version()
    if imported == SERVER:
        _warm_shell()
    # Of threads that a library started: it has to answer for forks itself.
    warnings.simplefilter("ignore")
    # Nothing of this is garbage in a fork, which would copy each page that it looks at.
    gc.collect()
    gc.freeze()
    gc.enable()


def _fork_servers(owns: int, path: Path) -> None:
    """Have whoever is forked from this process fork its servers from one, too."""
    from stridekit_grading.sandbox import launch

    bubblewrap = launch.find_bubblewrap()
    if bubblewrap is None:
        return
    *within, end = launch._shut_in(bubblewrap)
    within += ["--ro-bind", __file__, __file__, end]
    _start(path, owns, SERVER, within, launch._environment())
    usual = launch._COMMAND

    def start(command: list[str], **how: Any) -> "subprocess.Popen[bytes]":
        if command[0] == bubblewrap and usual in command:
            orders, jobs, *rest = command[command.index(usual) + 1 :]
            serves = f"{SERVER[0]}:main"
            command = [*ASK, str(path), f"{orders} {jobs}", "-m", serves, *rest]
        return subprocess.Popen(command, **how)

    launch.subprocess = SimpleNamespace(**{**vars(subprocess), "Popen": start})


def _grade_once() -> None:
    """Grade somebody's notebook, as most commands do: the first time, that takes twice as long.

    Where nothing shuts it in, it is not graded, and tests say so.
    """
    from stridekit.command import main as command
    from tests.grading.small_courses import check, hand_in, make_course, solution

    cells = [solution("one", ""), check("test-one", "assert one == 1")]
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        course = make_course(Path(folder), "hw", {"hw": cells})
        hand_in(course, "ada", "hw", "hw", {"one": "one = 1"})
        with redirect_stdout(said), redirect_stderr(said):
            command(["grade", "hw"])
    # A command of ours has had it say less than nbgrader's own have it say.
    logging.getLogger("tornado.application").setLevel(logging.NOTSET)


def _warm_shell() -> None:
    """What a server makes first, which is the same for all courses but for what they import."""
    from stridekit_grading.sandbox import server

    shell = server._warm([*OF_NOTEBOOKS])

    def warm(imports: list[str]) -> Any:
        for name in imports:
            with suppress(Exception):
                __import__(name)
        return shell

    server._warm = warm


def _newest_tables() -> str:
    """What alembic says of how new a gradebook has to be.

    nbgrader asks a process of alembic for it, which imports all of nbgrader again.
    """
    from alembic.command import heads
    from alembic.config import Config
    from nbgrader.dbutil import _temp_alembic_ini

    said = io.StringIO()
    with _temp_alembic_ini("sqlite://") as file:
        heads(Config(file, stdout=said))
    return said.getvalue().split()[0]


def _engines() -> Callable[..., Any]:
    """What makes engines that know what others have compiled: nbgrader makes some for a command."""
    from sqlalchemy import create_engine

    first = create_engine("sqlite://")
    first.connect().close()

    def engine(*url: Any, **how: Any) -> Any:
        made = create_engine(*url, **how)
        # What is compiled is kept by the dialect that it is for.
        made.dialect, made._compiled_cache = first.dialect, first._compiled_cache
        return made

    return engine


def _become(far: socket.socket) -> None:
    """Be the one that is asked for: with its folder, environment, input and output."""
    with far:
        head, descriptors, *_ = socket.recv_fds(far, 8, 5)
        asked = far.makefile("rb").read(int.from_bytes(head, "big"))
    (_, name, *rest), folder, environment = marshal.loads(asked)
    for target, each in enumerate(descriptors[:3]):
        os.dup2(each, target)
        os.close(each)
    os.setsid()
    # Behind bubblewrap there is no such folder.
    if Path(folder).is_dir():
        os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    # As Python reads it where it starts.
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    # A kernel asks whether its parent lives.
    os.environ["JPY_PARENT_PID"] = str(os.getppid())
    # As `python -m` has it.
    sys.path.insert(0, folder)
    # What is handed on has other numbers here, which are the first arguments.
    sys.argv = ["-m", name, *map(str, descriptors[3:]), *rest]


def main() -> None:
    """Serve; in a fork, run the module that was asked for."""
    # Where this file lies is no place to import from; where a kernel stands, is.
    del sys.path[0]
    serve(*sys.argv[1:])
    _, name, *sys.argv[1:] = sys.argv
    status: object = 0
    try:
        if ":" in name:
            gc.disable()
            pkgutil.resolve_name(name)()
        else:
            runpy.run_module(name, run_name="__main__", alter_sys=True)
    except SystemExit as error:
        status = error.code or 0
    if not isinstance(status, int):
        print(status, file=sys.stderr)
        status = 1
    # As Python ends, but that it would take torch apart first, module by module.
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    main()
