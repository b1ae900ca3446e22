"""The sheet of a lesson: its picture and its summary on a page of paper."""

import sys

from matplotlib.backends.backend_agg import FigureCanvasAgg

from stridekit import Diagram
from tests.course.notebooks.notebooks import LESSONS, ROOT

sys.path.insert(0, str(ROOT / "tools"))
import sheets


def test_a_sheet(tmp_path, monkeypatch):
    """Title, picture, five lines; all of it on the page."""
    # What makes PDFs is large: not each worker needs it.
    from matplotlib.backends.backend_pdf import PdfPages

    monkeypatch.chdir(ROOT / "course")
    path = next(path for path in LESSONS if path.stem.startswith("03"))
    title, picture, summary = sheets.summed_up(path)
    assert title == "03 · Row-major and column-major"
    assert isinstance(picture, Diagram)
    assert summary.startswith("1. ")
    figure = sheets.page(title, picture, summary)
    with PdfPages(tmp_path / "sheets.pdf") as pages:
        pages.savefig(figure)
    assert (tmp_path / "sheets.pdf").read_bytes().startswith(b"%PDF")
    texts = [text.get_text() for text in figure.texts]
    assert title in texts
    renderer = FigureCanvasAgg(figure).get_renderer()
    for text in figure.texts:
        box = text.get_window_extent(renderer)
        assert box.x0 >= 0
        assert box.x1 <= figure.bbox.x1
        assert box.y0 >= 0
