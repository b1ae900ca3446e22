"""The demo, whose nbgrader is warm here."""

import sys

from tests import ROOT, warm

sys.path.insert(0, str(ROOT / "demo"))
import demo

demo.NBGRADER = warm.python(warm.GRADING, "-m", "nbgrader")
