"""An IPython that runs cells as a kernel does, and keeps what they put out: no sockets, no threads.

Magics, await at the top level, displays that are updated, figures of matplotlib, widgets' pictures
and tracebacks come out as a kernel would send them.
"""

import asyncio
import base64
import builtins
import contextlib
import contextvars
import getpass
import inspect
import io
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.error import StdinNotImplementedError
from IPython.core.formatters import DisplayFormatter
from IPython.core.interactiveshell import InteractiveShell
from IPython.extensions import storemagic
from traitlets import Type
from traitlets.config import Config

from stridekit.diagrams import Diagram
from stridekit_grading.sandbox.outputs import Output, error_in, shortened

# What one cell may put out, in characters: printed, and in all. What comes after it is cut.
PRINTED_MOST = 200_000
SHOWN_MOST = 8_000_000
ITEMS_MOST = 1_000
# How often what awaits something has its turn until the next cell.
TURNS_MOST = 100
# What a kernel alone has, and what says nothing to nobody.
_MAGICS = ("autosave", "clear", "connect_info", "edit", "man", "qtconsole", "subshell")
# Names in a traceback may be as long as somebody likes.
LINE_MOST = 20_000


class Outputs(DisplayPublisher):
    """What the present cell has put out, as a notebook keeps it."""

    def begin(self, count: int) -> None:
        """Forget what was there: a cell begins."""
        self.count = count
        self.clear_output()
        # What was displayed under a name.
        self._known: defaultdict[str, list[Output]] = defaultdict(list)

    def write(self, name: str, text: str) -> None:
        """Somebody printed."""
        self._maybe_clear()
        left = PRINTED_MOST - self._printed
        if left < 0 or not text:
            return
        self._printed += len(text)
        if len(text) > left:
            text = f"{text[:left]}\n[Cut here: of what a cell prints, {PRINTED_MOST:,} are kept.]\n"
        last = self.items[-1] if self.items else {}
        if last.get("output_type") == "stream" and last["name"] == name:
            last["text"] += text
        else:
            self._add({"output_type": "stream", "name": name, "text": text})

    def publish(
        self, data: Any, metadata: Any = None, *_: Any, update: bool = False, **more: Any
    ) -> None:
        """Somebody displayed something, or what was displayed under a name is something else."""
        known_as = str((more.get("transient") or {}).get("display_id") or "")
        if update:
            for each in self._known[known_as]:
                each.update(data=_as_json(data), metadata=_as_json(metadata))
            return
        shown = self._show({"output_type": "display_data"}, data, metadata)
        if known_as:
            self._known[known_as].append(shown)

    def show_result(self, data: Any, metadata: Any) -> None:
        """A cell's last line has a value."""
        kind = {"output_type": "execute_result", "execution_count": self.count}
        self._show(kind, data, metadata)

    def _show(self, kind: Output, data: Any, metadata: Any) -> Output:
        self._maybe_clear()
        item = {**kind, "data": _as_json(data), "metadata": _as_json(metadata)}
        if item["data"]:
            self._add(item)
        return item

    def fail(self, name: str, value: str, trace: list[str]) -> None:
        """The cell raised."""
        self._maybe_clear()
        cut = [line if len(line) < LINE_MOST else f"{line[:LINE_MOST]} ..." for line in trace]
        error = {"ename": name[:200], "evalue": value[:LINE_MOST], "traceback": cut[:200]}
        # Where nothing else is kept, this is.
        self.items.append({"output_type": "error", **error})

    def clear_output(self, wait: bool = False) -> None:
        """Take away what is there, at once or when something new comes."""
        self._clear_first = wait
        if not wait:
            self.items: list[Output] = []
            self._printed = self._shown = 0

    def _maybe_clear(self) -> None:
        if self._clear_first:
            self.clear_output()

    def _add(self, item: Output) -> None:
        size = len(json.dumps(item, ensure_ascii=False))
        if self._shown + size > SHOWN_MOST or len(self.items) >= ITEMS_MOST:
            said, *value = shortened([item])
            if self._shown <= SHOWN_MOST:
                self.items.append(said)
                self._shown = SHOWN_MOST + 1
            # It may be the points of a test, which are the first value.
            if value and "execute_result" not in {each["output_type"] for each in self.items}:
                self.items += value
            return
        self._shown += size
        self.items.append(item)


class Stream(io.TextIOBase):
    """What stands for stdout or stderr."""

    # As a kernel's.
    encoding, errors = "UTF-8", "replace"

    def __init__(self, name: str, outputs: Outputs, descriptor: int) -> None:
        self.name = f"<{name}>"
        self._name, self._outputs, self._descriptor = name, outputs, descriptor

    def write(self, text: str) -> int:
        """Keep it with the outputs of the cell."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if self.closed:
            raise ValueError("I/O operation on closed file")
        self._outputs.write(self._name, str.__str__(text))
        return len(text)

    def flush(self) -> None:
        """Nothing waits. As a kernel's, also where somebody has closed it."""

    def writable(self) -> bool:
        """Yes."""
        return True

    def fileno(self) -> int:
        """What programs that are started write to: nowhere."""
        return self._descriptor


class Hook(DisplayHook):
    """Keeps the value of a cell's last line."""

    shell: Any

    def write_output_prompt(self) -> None:
        """No prompt."""

    def finish_displayhook(self) -> None:
        """Without IPython's empty line, which nobody can write once stdout is closed."""
        self._is_active = False

    def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None:
        """See DisplayHook."""
        self.shell.outputs.show_result(format_dict, md_dict)


class Formatter(DisplayFormatter):
    """Gives of a diagram what graded notebooks keep: no PNG, and no form for a phone."""

    def format(self, obj: Any, include: Any = None, exclude: Any = None) -> Any:
        """See DisplayFormatter."""
        shell: Any = self.parent
        # What is drawn on axes shows itself.
        if not isinstance(obj, Diagram) or obj._ax is not None:  # noqa: SLF001
            return super().format(obj, include, exclude)
        # What a cell captures, it may look at.
        if type(shell.display_pub) is not Outputs:
            return super().format(obj, include, {*(exclude or ()), "image/png"})
        return ({"text/html": obj.html(), "text/plain": obj.text()} if shell.is_seen else {}), {}


class Compiler(CachingCompiler):
    """Knows of what module cells are."""

    def cache(self, *code: Any, **more: Any) -> str:
        """See CachingCompiler."""
        name = super().cache(*code, **more)
        # Else a traceback looks for it among all that are loaded, again and again for each frame.
        # In a folder that is gone, inspect does not look either.
        with contextlib.suppress(FileNotFoundError):
            inspect.modulesbyfile[os.path.abspath(name)] = "__main__"  # noqa: PTH100
        return name


class Shell(InteractiveShell):
    """One IPython, made before it is known whose cells it will run."""

    compiler_class = Type(Compiler)
    displayhook_class = Type(Hook)
    display_pub_class = Type(Outputs)
    outputs: Outputs
    # A cell has said quit().
    has_quit = False
    # As a kernel does: what is displayed is kept.
    keeps_pictures = True
    # Somebody reads what cells put out: else a diagram, which does nothing more, is not drawn.
    is_seen = True
    # What the last cell raised.
    error: BaseException | None = None

    def init_display_formatter(self) -> None:
        """With fewer forms."""
        self.display_formatter = Formatter(parent=self)
        self.configurables.append(self.display_formatter)  # type: ignore[arg-type]

    def _showtraceback(self, etype: Any, evalue: Any, stb: Any) -> None:
        try:
            said = str(evalue)
        except Exception:  # noqa: BLE001 - somebody's own message
            said = "<this exception has no message>"
        lines = [stb] if isinstance(stb, str) else [str(line) for line in stb]
        self.error = evalue
        self.outputs.fail(str(etype.__name__), said, lines)

    def show_usage_error(self, exc: BaseException) -> None:
        """A magic that there is not, or used in the wrong way: on stderr alone it would be none."""
        self._showtraceback(type(exc), exc, f"UsageError: {exc}")

    def _format_exception_for_storage(self, *_: Any, **__: Any) -> dict[str, Any]:
        """Nothing: IPython makes a second traceback for the history, which is kept nowhere."""
        return {}

    def enable_gui(self, gui: Any = None) -> None:
        """There are no windows."""

    def ask_exit(self) -> None:
        """What quit() and exit() do."""
        self.has_quit = True

    def system_piped(self, cmd: str) -> None:
        """What a line with an exclamation mark runs; what it prints is the cell's."""
        done = subprocess.run(
            ["/bin/sh", "-c", self.var_expand(cmd, depth=1)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        self.outputs.write("stdout", done.stdout.decode("utf-8", "replace"))
        self.user_ns["_exit_code"] = done.returncode

    system = system_piped

    def begin_process(self) -> None:
        """A process is there, whose cells will be run: what an event loop has open is its own."""
        # A cell may set another one, and a kernel goes on with its own.
        self.event_loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.event_loop)
        # Where a cell sets how numbers are computed and printed, for all that comes after it.
        self.context = contextvars.copy_context()

    def end_process(self) -> None:
        """It will be forked."""
        self.event_loop.close()
        asyncio.set_event_loop(None)

    def run(self, source: str) -> list[Output]:
        """Run a cell, and give what it put out."""
        self.outputs.begin(self.execution_count)
        self.error = None
        loop = self.event_loop
        try:
            loop.run_until_complete(loop.create_task(self._run(source), context=self.context))
        except KeyboardInterrupt:
            self.showtraceback()
            # What was awaited is awaited no more.
            for task in asyncio.all_tasks(loop):
                task.cancel()
            loop.run_until_complete(asyncio.sleep(0))
        return self.outputs.items

    async def _run(self, source: str) -> None:
        try:
            transformed, error = self.transform_cell(source), None
        except Exception:  # noqa: BLE001 - run_cell shows it
            transformed, error = source, sys.exc_info()
        result = failed = None
        try:
            result = await self.run_cell_async(
                source,
                store_history=True,
                transformed_cell=transformed,
                preprocessing_exc_tuple=error,
            )
            failed = result.error_before_exec or result.error_in_exec
        except BaseException as raised:  # noqa: BLE001 - what a cell raises beside its traceback
            failed = raised
            # A debugger, say, asks what to do, and nobody answers.
            with contextlib.suppress(Exception):
                self.showtraceback(running_compiled_code=True)
        finally:
            # Among those who wait for it is what shows the figures that a cell leaves.
            self.events.trigger("post_execute")
            self.events.trigger("post_run_cell", result)
        if failed and error_in(self.outputs.items) is None:
            # Somebody keeps tracebacks back, or takes them away: a kernel says all the same.
            Shell._showtraceback(self, type(failed), failed, ["It failed, and did not show why."])
        # While a kernel waits for the next cell, what a cell has begun goes on.
        for _ in range(TURNS_MOST):
            await asyncio.sleep(0)
            if len(asyncio.all_tasks()) == 1:
                break


def make_shell() -> Shell:
    """The one shell of this process, with its streams in place."""
    config = Config()
    # It would have a file, and a thread that writes it.
    config.HistoryManager.enabled = False
    # By these, libraries know that they are in a notebook.
    config.IPKernelApp = Config()
    Shell.__name__ = "ZMQInteractiveShell"
    shell = Shell.instance(config=config)
    # Where a cell captures what it puts out, another one stands in its place for so long.
    outputs: Any = shell.display_pub
    outputs.begin(0)
    shell.outputs = outputs
    storemagic.load_ipython_extension(shell)
    for name in _MAGICS:
        shell.magics_manager.register_function(lambda _: None, magic_name=name)
    for name in ("less", "more"):
        shell.magics_manager.register_function(_paged, magic_name=name)
    sys.stdout, sys.stderr = Stream("stdout", outputs, 1), Stream("stderr", outputs, 2)
    builtins.input = getpass.getpass = _no_input
    # A pager would show nothing to nobody, and no debugger is connected.
    shell.set_hook("show_in_pager", lambda *_, **__: None, 0)
    sys.breakpointhook = lambda *_, **__: None
    return shell


def _paged(path: str) -> None:
    """Nobody sees the file; one that cannot be read is a failure, as in a kernel."""
    Path(path).read_text("utf-8")


def _no_input(*_: object, **__: object) -> str:
    raise StdinNotImplementedError("input() was called, and nobody is there to answer.")


# By its name it is what it stands for, not a call of stridekit's.
_no_input.__module__ = "builtins"
_no_input.__name__ = _no_input.__qualname__ = "input"


def _as_json(thing: Any) -> Any:
    """What JSON can say of it; pictures, which are bytes, in base64."""
    if not isinstance(thing, dict):
        return {}
    told = {}
    for key, value in thing.items():
        if isinstance(value, bytes):
            value = base64.b64encode(value).decode("ascii")
        try:
            told[str(key)] = json.loads(json.dumps(value))
        except (TypeError, ValueError, RecursionError):
            continue
    return told
