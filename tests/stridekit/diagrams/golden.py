"""The gallery's texts as files, to be read in review.

    python -m tests.stridekit.diagrams.golden

writes them anew; `make gallery` does so along with the pictures.
"""

import importlib.util
from functools import cache
from pathlib import Path

from tests import ROOT

GALLERY = ROOT / "docs" / "gallery"
GOLDEN = Path(__file__).resolve().parent / "golden"


@cache
def gallery():
    """docs/gallery/pictures.py, which is not a package."""
    spec = importlib.util.spec_from_file_location("pictures", GALLERY / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def drawn(name):
    """A picture of the gallery, drawn once for all tests."""
    return gallery().PICTURES[name]()


def main() -> None:
    """Write the golden files of every picture in the gallery."""
    GOLDEN.mkdir(exist_ok=True)
    for old in GOLDEN.iterdir():
        old.unlink()
    for name, make in gallery().PICTURES.items():
        (GOLDEN / f"{name}.txt").write_text(make().text() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
