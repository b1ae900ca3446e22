"""The instructor's pages in docs/, whose commands tests run."""

import re
import subprocess

from tests import warm


def blocks(page):
    """The blocks of code of a page: language, what stands behind it, and the text."""
    text = page.read_text("utf-8")
    return re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def shell(course, command, **env):
    """Run a command of a page in a course, which must go well; gives what it said."""
    done = subprocess.run(
        ["bash", "-ec", command],
        cwd=course,
        env=warm.environment() | env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr
