"""Write sheets.pdf: for each lesson a page, with its one picture and its summary in five lines.

    make sheets

Lessons are run here, cell after cell, up to the one with the id `sheet`.
"""

import ast
import os
import sys
import textwrap
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parent.parent
# A4, in inches; what is round the page; where the picture begins and ends, as parts of the height.
WIDTH, HEIGHT, MARGIN = 8.27, 11.69, 0.08
PICTURE_TOP, PICTURE_FOOT = 0.88, 0.34
CHARACTERS = 84


def summed_up(path: Path) -> tuple[str, Any, str]:
    """The title of a lesson, its picture, and its summary."""
    cells = nbformat.read(path, as_version=4).cells
    title = cells[0].source.splitlines()[0].lstrip("# ")
    summary = next(cell.source for cell in cells if cell.source.startswith("## Summary"))
    known: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells:
        if cell.cell_type != "code":
            continue
        body = ast.parse(cell.source).body
        last = body.pop() if cell.id == "sheet" else None
        # What lessons print is for their readers.
        with redirect_stdout(StringIO()):
            exec(compile(ast.Module(body, []), str(path), "exec"), known)
        if isinstance(last, ast.Expr):
            picture = eval(compile(ast.Expression(last.value), str(path), "eval"), known)
            return title, picture, summary.partition("\n")[2].strip()
    raise SystemExit(f"{path.name}: its cell `sheet` does not end with a picture.")


def page(title: str, picture: Any, summary: str) -> Any:
    """A sheet as a matplotlib figure."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, HEIGHT))
    figure.text(MARGIN, 0.93, title, fontsize=20, weight="bold", va="top")
    place = (MARGIN, PICTURE_FOOT, 1 - 2 * MARGIN, PICTURE_TOP - PICTURE_FOOT)
    picture.figure(figure.add_axes(place))
    plain = summary.replace("`", "").replace("**", "").replace("*", "")
    lines = [
        textwrap.fill(line, CHARACTERS, subsequent_indent="    ")
        for line in plain.splitlines()
        # What else stands there leads to the picture, or to exercises.
        if line[:1].isdigit()
    ]
    figure.text(MARGIN, PICTURE_FOOT - 0.03, "\n\n".join(lines), fontsize=10.5, va="top")
    figure.text(MARGIN, 0.03, "stridekit", fontsize=8, color="#595959")
    return figure


def main(target: Path) -> None:
    """All lessons, in their order."""
    from matplotlib.backends.backend_pdf import PdfPages

    os.chdir(ROOT / "course")
    with PdfPages(target, metadata={"CreationDate": None}) as pages:
        for path in sorted(Path().glob("[0-9][0-9]-*.ipynb")):
            if any(cell.id == "sheet" for cell in nbformat.read(path, as_version=4).cells):
                pages.savefig(page(*summed_up(path)))
            else:
                print(f"{path.stem} has no picture that sums it up yet.")
        print(f"{target.name}: {pages.get_pagecount()} sheets")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "sheets.pdf").resolve())
