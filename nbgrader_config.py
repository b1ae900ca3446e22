"""The repository root is the nbgrader course. Every nbgrader command and view reads this."""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path

c = get_config()  # noqa: F821 - nbgrader puts it here

ROOT = Path(__file__).resolve().parent

# nbgrader starts its database tool, alembic, by name. It lies beside this Python, also when
# the virtual environment has not been activated.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

c.CourseDirectory.course_id = "stridekit"
c.CourseDirectory.root = str(ROOT)

# A private exchange lets one person play both roles: instructor in Formgrader, learner in
# Assignment List. A class on a shared machine sets Exchange.root to a folder of its own, here or,
# as hub/Dockerfile does, by STRIDEKIT_EXCHANGE.
private = ROOT / ".exchange"
shared = os.environ.get("STRIDEKIT_EXCHANGE")
exchange = Path(shared) if shared else private / "exchange"
# In a folder that cannot be written, lessons run, and nbgrader's commands say what they miss.
with suppress(OSError):
    private.mkdir(mode=0o700, exist_ok=True)
    exchange.mkdir(exist_ok=True)
c.Exchange.root = str(exchange)
c.Exchange.cache = str(private / "cache")
# Fetched assignments come to work/, beside the course and outside of git.
c.Exchange.assignment_dir = str(ROOT / "work")

# A grader under load is slow, and that must not stop a class.
c.Execute.timeout = 60
c.Execute.iopub_timeout = 60

# nbgrader gives 0 to a test cell with anything on stderr, be it only a warning or a log line
# of right work. So where notebooks are validated and graded, what is written to stderr goes
# to stdout. It is still shown, and an exception is still a failure.
c.Execute.extra_arguments = [
    "--IPKernelApp.log_level=ERROR",
    "--IPKernelApp.capture_fd_output=False",
    "--IPKernelApp.exec_lines="
    + json.dumps(["setattr(__import__('sys'), 'stderr', __import__('sys').stdout)"]),
]

# What comes late costs points: a ready penalty, off until these lines are put in (see
# docs/collecting.md).
# c.AssignLatePenalties.plugin_class = "stridekit_grading.plugins.StartedDays"
# c.StartedDays.points = 5

# `nbgrader autograde` and Formgrader's button grade as `stridekit grade` does: sealed, and fast.
# Without these lines they start a kernel for each notebook, as nbgrader does by itself.
with suppress(ImportError):
    from stridekit_grading.nbgrader_apps import install

    install(c)
