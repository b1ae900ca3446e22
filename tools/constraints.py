"""Write constraints.txt: the versions that are installed here, and known to work together."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAD = """\
# Versions that are known to work together. make and CI install with these; pyproject.toml says
# what else may work. Written by `make constraints`.
"""


def main() -> None:
    frozen = subprocess.run(
        [sys.executable, "-m", "pip", "freeze", "--exclude-editable"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    # torch says which build it is, such as 2.13.0+cpu; every build of that version will do.
    pins = [line.split("+")[0] for line in frozen.splitlines() if "==" in line]
    (ROOT / "constraints.txt").write_text(HEAD + "\n".join(pins) + "\n", encoding="utf-8")
    print(f"{len(pins)} versions written to constraints.txt")


if __name__ == "__main__":
    main()
