"""Python that has imported what takes long, for tests that need a process of their own.

Most of what a notebook or a command of nbgrader's takes is the import of torch or of nbgrader's
apps. So they are imported once for a run of pytest, whichever worker asks first, in a process that
does nothing else, and each test gets a fork of it: with its own folder, environment, input and
output, and its end is the end of the command that asked for it.

The servers that such a command runs notebooks in are forks as well, of one that is behind
bubblewrap. Tests that are about servers have a command start from nothing.
"""

import atexit
import gc
import io
import json
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
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

# Where a process has no file descriptor, each is started anew.
CAN_FORK = hasattr(os, "pidfd_open") and hasattr(os, "fork")
KERNEL = (
    *("ipykernel.kernelapp", "ipykernel.ipkernel", "ipywidgets", "anywidget", "numpy", "torch"),
    # The last for a torch mode, which imports it.
    *("matplotlib.pyplot", "matplotlib_inline.backend_inline", "torch._dynamo"),
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
    return [*_role("ask"), _server(tuple(imported)), *arguments]


def _role(name: str) -> list[str]:
    return [sys.executable, "-S", "-E", "-P", __file__, name]


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
        role = ["serve", str(listener.fileno()), str(owns), str(path.parent)]
        command = [*within, sys.executable, __file__, *role, *imported]
        os.posix_spawn(command[0], command, environment)
        os.set_inheritable(owns, False)


def ask(path: str, *arguments: str, handed: tuple[int, ...] = ()) -> int:
    """Have it run there, with what this process has; gives its exit status.

    What is handed on has other numbers there, which are the first arguments. It ends with this
    process, which an interrupt ends.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with socket.socket(socket.AF_UNIX) as far:
        far.connect(path)
        asked = {"arguments": arguments, "folder": str(Path.cwd()), "environment": {**os.environ}}
        message = json.dumps(asked).encode()
        socket.send_fds(far, [len(message).to_bytes(8, "big")], [0, 1, 2, *handed])
        far.sendall(message)
        return int(far.recv(16) or b"1")


def serve(number: str, owner: str, folder: str, *imported: str) -> None:
    """Import, then fork whenever somebody asks; comes back in forks, ready to run a module."""
    owns = int(owner)
    before = warnings.filters[:]
    is_ready = False
    listener = socket.socket(fileno=int(number))
    while True:
        ready, _, _ = select.select([listener, owns], [], [])
        if owns in ready:
            shutil.rmtree(folder, ignore_errors=True)
            os._exit(0)
        if not is_ready:
            _get_ready(imported, owns, Path(folder))
            is_ready = True
        far, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            _watch(far, owns)
            warnings.filters[:] = before
            return
        far.close()
        while _reaped():
            pass


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

        nbgrader.api.get_alembic_version = cache(_newest_tables)
        nbgrader.api.get_alembic_version()
        _fork_servers(owns, folder / "servers")
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
            given = command[command.index(usual) + 1 :]
            command = [*_role("hand"), str(path), *given]
        return subprocess.Popen(command, **how)

    launch.subprocess = SimpleNamespace(**{**vars(subprocess), "Popen": start})


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


def _reaped() -> bool:
    try:
        return os.waitpid(-1, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return False


def _watch(far: socket.socket, owns: int) -> None:
    """Fork the one that was asked for, in which this comes back, and tell how it ended."""
    head, descriptors, *_ = socket.recv_fds(far, 8, 5)
    descriptors, handed = descriptors[:3], descriptors[3:]
    asked = json.loads(far.makefile("rb").read(int.from_bytes(head, "big")))
    child = os.fork()
    if child == 0:
        far.close()
        os.close(owns)
        for target, each in enumerate(descriptors):
            os.dup2(each, target)
            os.close(each)
        os.setsid()
        # Behind bubblewrap there is no such folder.
        if Path(asked["folder"]).is_dir():
            os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(asked["environment"])
        # As Python reads it where it starts.
        sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
        # A kernel asks whether its parent lives.
        os.environ["JPY_PARENT_PID"] = str(os.getppid())
        # As `python -m` has it.
        sys.path.insert(0, asked["folder"])
        _, name, *rest = asked["arguments"]
        sys.argv = ["-m", name, *map(str, handed), *rest]
        return
    for each in (*descriptors, *handed):
        os.close(each)
    ready, _, _ = select.select([os.pidfd_open(child), far, owns], [], [])
    if far in ready or owns in ready:
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if far not in ready:
        far.sendall(str(status % 256).encode())
    os._exit(0)


def main() -> None:
    """The two sides, by name; in a fork, the module that was asked for."""
    role, *arguments = sys.argv[1:]
    if role == "ask":
        sys.exit(ask(*arguments))
    if role == "hand":
        path, orders, jobs, *rest = arguments
        serves = f"{SERVER[0]}:main"
        sys.exit(ask(path, "-m", serves, *rest, handed=(int(orders), int(jobs))))
    # Where this file lies is no place to import from; where a kernel stands, is.
    del sys.path[0]
    serve(*arguments)
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
