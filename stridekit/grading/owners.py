"""Whose a file is, by the name that a platform gave it.

What lies in a learner's own zip is whose the zip is: names in there are his to choose.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from stridekit.grading.archives import Member
from stridekit.grading.rosters import Learner, Roster

# As nbgrader's `named_regexp`. What stands before is a folder that somebody packed it all into.
MOODLE = re.compile(
    r"(?:.*?/)??(?P<name>[^/]*?)(?:_(?P<number>\d+))?_assignsubmission_file(?:_?/|_)(?P<file_id>.+)"
)
CANVAS = re.compile(
    r"(?:.*?/)??(?P<name>[^/]+?)(?P<late>_LATE)?_(?P<number>\d+)_(?P<order>\d+)_(?P<file_id>.+)"
)
PLATFORMS = {"moodle": "Moodle", "canvas": "Canvas", "plain": "a plain zip"}


@dataclass(slots=True)
class Owner:
    """What a name says."""

    learner: Learner | None
    reason: str
    """Why it is nobody's."""
    file_id: str
    """What the learner called it."""
    order: int = 0
    """Canvas counts what is uploaded."""
    is_late: bool = False


@dataclass(slots=True)
class Found:
    """A notebook that was in an archive."""

    member: Member
    path: Path
    owner: Owner

    @property
    def name(self) -> str:
        """As the platform called it."""
        return self.member.name

    @property
    def file_id(self) -> str:
        """What the learner called it."""
        return self.member.inner_path or self.owner.file_id


def owner_of(given: str, platform: str, roster: Roster) -> Owner:
    """What the name says that the platform gave."""
    if platform == "plain":
        return _owner_plainly(given, roster)
    rule = MOODLE if platform == "moodle" else CANVAS
    match = rule.fullmatch(given)
    if match is None:
        reason = f"{PLATFORMS[platform]} does not name files so"
        if platform == "canvas" and "anon_" in given:
            reason = "Canvas has made it anonymous"
        return Owner(None, reason, Path(given).name)
    said = match.groupdict()
    learner, reason = roster.find(said["name"], said["number"] or "")
    late = bool(said.get("late"))
    return Owner(learner, reason, said["file_id"], int(said.get("order") or 0), late)


def _owner_plainly(given: str, roster: Roster) -> Owner:
    """A folder or the beginning of the name is a learner's id, or name."""
    *folders, file_id = given.split("/")
    stem = file_id[:-4] if file_id.lower().endswith(".zip") else ""
    # The longest beginning: of ada and ada_b, ada_b_ps3.ipynb is the second's.
    ends = sorted((n for n, each in enumerate(file_id) if each == "_"), reverse=True)
    # A folder counts before what is in it, for learners choose the names of their files.
    for parts in (folders, [stem] if stem else [], *([file_id[:end]] for end in ends)):
        hits, reason = _who(parts, roster)
        if reason:
            return Owner(None, reason, file_id)
        if hits:
            begun = parts is not folders and parts != [stem]
            return Owner(hits[0], "", file_id[len(parts[0]) + 1 :] if begun else file_id)
    reason = "no folder of it, and no beginning of its name, is a learner's id or name"
    return Owner(None, reason, file_id)


def _who(parts: list[str], roster: Roster) -> tuple[list[Learner], str]:
    """The one learner that the names are of; or why nobody can tell."""
    hits: dict[str, Learner] = {}
    several: list[list[str]] = []
    for part in parts:
        learner = roster.by_id(part) or roster.find(part)[0]
        if learner is not None:
            hits[learner.id] = learner
        elif len(roster.of_name(part)) > 1:
            several.append(roster.of_name(part))
    may_be = {*hits, *(each for one in several for each in one if not {*one} & {*hits})}
    if not hits and len(several) == 1:
        return [], f"{' and '.join(several[0])} have this name"
    if len(may_be) > 1:
        return [], f"it may be of {' or '.join(sorted(may_be))}"
    return list(hits.values()), ""
