"""Formgrader's buttons that take a while, in processes of their own: the server answers others."""

import asyncio
import json
import sys
from typing import Any

_HANDLERS = "nbgrader.server_extensions.formgrader.apihandlers"


def install() -> None:
    """Have the buttons for grading and for feedback wait without keeping others waiting.

    Only where Formgrader is loaded: in a Jupyter server.
    """
    module = sys.modules.get(_HANDLERS)
    if module is None:
        return
    module.AutogradeHandler.post = _post(module, "autograde", "--create")
    module.GenerateFeedbackHandler.post = _post(module, "generate_feedback")
    module.GenerateAllFeedbackHandler.post = _post(module, "generate_feedback")


def _post(module: Any, command: str, *options: str) -> Any:
    """What a handler does when its button is pressed."""

    async def post(self: Any, assignment_id: str, student_id: str | None = None) -> None:
        arguments = [command, assignment_id, "--force", *options]
        if student_id is not None:
            arguments.append(f"--student={student_id}")
        self.write(json.dumps(await _run(arguments, str(self.api.coursedir.root))))

    guarded = module.check_xsrf(module.check_notebook_dir(post))
    return module.web.authenticated(guarded)


async def _run(arguments: list[str], root: str) -> dict[str, Any]:
    """Run a command of nbgrader's in a course; gives what Formgrader shows of it."""
    # One after another, for there is one gradebook.
    async with _queue():
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "nbgrader", *arguments),
            cwd=root,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        told, _ = await process.communicate()
    log = told.decode("utf-8", "replace")
    if process.returncode == 0:
        return {"success": True, "log": log}
    return {"success": False, "log": log, "error": f"nbgrader {' '.join(arguments)} failed"}


_queues: dict[Any, asyncio.Lock] = {}


def _queue() -> asyncio.Lock:
    """The queue of the running server."""
    return _queues.setdefault(asyncio.get_running_loop(), asyncio.Lock())
