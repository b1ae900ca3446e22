"""Is this tag a release? It is the version of the package, and the changelog has a part on it."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def problem(tag: str, root: Path = ROOT) -> str:
    """What stands against it; empty where nothing does."""
    package = (root / "stridekit" / "__init__.py").read_text("utf-8")
    found = re.search(r'^__version__ = "(.+)"$', package, re.MULTILINE)
    version = found[1] if found else ""
    if tag != f"v{version}":
        return f"the tag is {tag}, and stridekit/__init__.py says {version}"
    changes = (root / "CHANGELOG.md").read_text("utf-8")
    heading = re.search(rf"^## \[?{re.escape(version)}\b.*$", changes, re.MULTILINE)
    if heading is None:
        return f"CHANGELOG.md has no part that begins with ## {version}"
    if "unreleased" in heading[0].lower():
        return f"CHANGELOG.md says that {version} is unreleased"
    if f"version: {version}\n" not in (root / "CITATION.cff").read_text("utf-8"):
        return f"CITATION.cff does not say version: {version}"
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
