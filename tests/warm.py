"""Python that has imported what takes long, for tests that need a process of their own.

Most of what a notebook or a command of nbgrader's takes is the import of torch or of nbgrader's
apps. So they are imported once for a run of pytest, whichever worker asks first, in a process that
does nothing else, and each test gets a fork of it: with its own folder, environment, input and
output, and its end is the end of the command that asked for it.
"""

import atexit
import gc
import io
import json
import os
import runpy
import select
import shlex
import shutil
import signal
import socket
import sys
import tempfile
import threading
import warnings
from collections.abc import Sequence
from functools import cache
from pathlib import Path

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


def python(imported: Sequence[str], *arguments: str) -> list[str]:
    """The command that runs `python -m ...` in a process with these modules imported.

    Its arguments are those of Python, "-m" first.
    """
    if not CAN_FORK:
        return [sys.executable, *arguments]
    return [sys.executable, "-S", "-E", "-P", __file__, "ask", _server(tuple(imported)), *arguments]


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
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(str(path))
                listener.listen()
                os.set_inheritable(listener.fileno(), True)
                role = ["serve", str(listener.fileno()), str(owner), str(folder)]
                command = [sys.executable, __file__, *role, *imported]
                os.posix_spawn(sys.executable, command, os.environ)
    return str(path)


def ask(path: str, *arguments: str) -> int:
    """Have it run there, with what this process has; gives its exit status.

    It ends with this process, which an interrupt ends.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with socket.socket(socket.AF_UNIX) as far:
        far.connect(path)
        asked = {"arguments": arguments, "folder": str(Path.cwd()), "environment": {**os.environ}}
        message = json.dumps(asked).encode()
        socket.send_fds(far, [len(message).to_bytes(8, "big")], [0, 1, 2])
        far.sendall(message)
        return int(far.recv(16) or b"1")


def serve(number: str, owner: str, folder: str, *imported: str) -> None:
    """Import, then fork whenever somebody asks; comes back in forks, ready to run a module."""
    owns = os.pidfd_open(int(owner))
    # Imports leave no garbage, and looking for it takes a fifth of their time.
    gc.disable()
    before = warnings.filters[:]
    # What warns on its way in fails here, as it does in notebooks that are run strictly.
    warnings.simplefilter("error")
    # A grammar of web addresses that nobody asks for: it takes a second, see tests/conftest.py.
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    for name in imported:
        __import__(name)
    if "nbgrader.api" in imported:
        import nbgrader.api

        nbgrader.api.get_alembic_version = cache(_newest_tables)
        nbgrader.api.get_alembic_version()
    # Of threads that a library started: it has to answer for forks itself.
    warnings.simplefilter("ignore")
    # Nothing of this is garbage in a fork, which would copy each page that it looks at.
    gc.collect()
    gc.freeze()
    gc.enable()
    listener = socket.socket(fileno=int(number))
    while True:
        ready, _, _ = select.select([listener, owns], [], [])
        if owns in ready:
            shutil.rmtree(folder, ignore_errors=True)
            os._exit(0)
        far, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            _watch(far, owns)
            warnings.filters[:] = before
            return
        far.close()
        while _reaped():
            pass


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
    head, descriptors, *_ = socket.recv_fds(far, 8, 3)
    asked = json.loads(far.makefile("rb").read(int.from_bytes(head, "big")))
    child = os.fork()
    if child == 0:
        far.close()
        os.close(owns)
        for target, each in enumerate(descriptors):
            os.dup2(each, target)
            os.close(each)
        os.setsid()
        os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(asked["environment"])
        # A kernel asks whether its parent lives.
        os.environ["JPY_PARENT_PID"] = str(os.getppid())
        # As `python -m` has it.
        sys.path.insert(0, asked["folder"])
        sys.argv = ["-m", *asked["arguments"][1:]]
        return
    for each in descriptors:
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
    # Where this file lies is no place to import from; where a kernel stands, is.
    del sys.path[0]
    serve(*arguments)
    _, name, *sys.argv[1:] = sys.argv
    status: object = 0
    try:
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
