"""The instructor's pages in docs/, whose commands tests run."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests import warm


def blocks(page):
    """The blocks of code of a page: language, what stands behind it, and the text."""
    text = page.read_text("utf-8")
    return re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def shell(course, command, env=os.environ):
    """Run a command of a page in a course, which must go well; gives what it said."""
    here = str(Path(sys.executable).parent)
    path = os.pathsep.join([warm.commands(), here, os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-ec", command],
        cwd=course,
        env={**env, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr
