"""Is this tag a release? It is the version of all packages, and the changelog has a part on it."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Where a version is written: in each package, in what one asks for of another, in the citation.
VERSIONS = (
    ("stridekit/__init__.py", r'^__version__ = "(.+)"$'),
    ("stridekit_course/__init__.py", r'^__version__ = "(.+)"$'),
    ("stridekit_grading/__init__.py", r'^__version__ = "(.+)"$'),
    ("pyproject.toml", r'"stridekit-library\[.+\]==(.+)"'),
    ("stridekit_grading/pyproject.toml", r'"stridekit-course==(.+)"'),
    ("CITATION.cff", r"^version: (.+)$"),
)


def problem(tag: str, root: Path = ROOT) -> str:
    """What stands against it; empty where nothing does."""
    if not tag.startswith("v"):
        return f"the tag {tag} does not begin with v"
    version = tag.removeprefix("v")
    for path, pattern in VERSIONS:
        found = re.search(pattern, (root / path).read_text("utf-8"), re.MULTILINE)
        if found is None or found[1] != version:
            return f"{path} says {found[1] if found else 'nothing'}, and the tag is {tag}"
    changes = (root / "CHANGELOG.md").read_text("utf-8")
    heading = re.search(rf"^## \[?{re.escape(version)}\b.*$", changes, re.MULTILINE)
    if heading is None:
        return f"CHANGELOG.md has no part that begins with ## {version}"
    if "unreleased" in heading[0].lower():
        return f"CHANGELOG.md says that {version} is unreleased"
    return ""


def main(arguments: list[str]) -> int:
    """Say it; gives the exit status."""
    if len(arguments) != 1:
        print("Say the tag: python tools/release.py v0.1.0", file=sys.stderr)
        return 2
    against = problem(arguments[0])
    if against:
        print(f"No release: {against}.", file=sys.stderr)
    return 1 if against else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
