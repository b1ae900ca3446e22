"""The grader: a class's notebooks, run apart from what judges them, and entered with nbgrader.

The commands are `stridekit grade`, `collect`, `feedback` and `report`. See docs/grading.md.
"""

from pathlib import Path

import stridekit
import stridekit_course

__version__ = "0.2.0"

PACKAGES = tuple(
    Path(str(file)).resolve().parent
    for file in (stridekit.__file__, stridekit_course.__file__, __file__)
)
"""The folders of all that judges: what runs learners' code needs them, and nothing beside them."""
