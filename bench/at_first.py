"""What explorers are measured beside: as one writes them at first, and the least there can be."""

from collections.abc import Callable
from typing import Any

import ipywidgets

from stridekit import Diagram
from stridekit.diagrams.pages.placement import lay_out
from stridekit.explorers import EXPLORERS
from stridekit.explorers.fields import Choice, TextField

# How each is opened, the field to type in, and the two last characters that take turns in it.
CASES: dict[str, tuple[dict[str, Any], str, str]] = {
    "index": ({"size": (8, 8), "stride": (8, 1), "index": (1, 2)}, "index", "32"),
    "strides": (
        {"size": (8, 8), "stride": (8, 1), "storage_length": 66},
        "storage_offset",
        "10",
    ),
    "reshape": ({"size": (8, 8), "stride": (1, 8), "new_size": (64,)}, "storage_offset", "10"),
    "permute": ({"size": (4, 2, 8), "stride": (16, 8, 1)}, "storage_offset", "10"),
    "slicing": ({"size": (8, 8), "stride": (8, 1)}, "x[ ... ]", "32"),
    "broadcast": ({"a": (8, 1), "b": (8,)}, "size of b", "78"),
    "sharing": ({"size": (8, 8)}, "size of x", "78"),
    "traversal": ({"size": (8, 8)}, "visit", "10"),
    "pixels": ({}, "storage_offset", "10"),
}


def cell_by_cell(diagram: Diagram) -> None:
    """The same picture with pyplot: a Rectangle for each box, a Text for each text."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    page = lay_out(diagram.scene)
    _, ax = plt.subplots(figsize=(page.width / 96, page.height / 96))
    ax.set_xlim(0, page.width)
    ax.set_ylim(page.height, 0)
    ax.set_axis_off()
    for paint, boxes in page.boxes.items():
        for x, y, width, height in boxes:
            ax.add_patch(Rectangle((x, y), width, height, facecolor=paint.fill, edgecolor="k"))
    for font, runs in page.texts.items():
        for x, y, text, _ in runs:
            ax.text(x, y, text, fontsize=0.75 * font.size, color=font.ink, va="center")
    for pen, lines in page.lines.items():
        for points in lines:
            ax.plot(*zip(*points, strict=True), color=pen.stroke)
    plt.show()


def figure(diagram: Diagram) -> None:
    """The same picture as stridekit's own figure."""
    from IPython.display import display

    display(diagram.figure())


def with_interactive(name: str, paint: Callable[[Diagram], None]) -> Any:
    """The same explorer as one writes it at first."""
    explorer = EXPLORERS[name]
    first = explorer().changed(CASES[name][0])
    fields: dict[str, Any] = {}
    texts = {each.name: each for each in explorer.controls if isinstance(each, TextField)}
    for control in explorer.controls:
        if isinstance(control, TextField):
            typed = control.spell(getattr(first, control.name))
            fields[control.name] = ipywidgets.Text(typed, description=control.label)
        elif isinstance(control, Choice):
            fields[control.name] = ipywidgets.Dropdown(
                options=control.options,
                value=getattr(first, control.name),
                description=control.label,
            )

    def show(**values: Any) -> None:
        values.update({each: texts[each].read(values[each]) for each in texts})
        shown = first.changed(values).show()
        print(shown.summary)
        paint(shown.diagram)
        print(*shown.facts, sep="\n")

    return ipywidgets.interactive(show, **fields)


def least() -> Any:
    """A field, and its text as HTML."""
    field = ipywidgets.Text("8", description="field")
    page = ipywidgets.HTML("<b>8</b>")
    field.observe(lambda change: setattr(page, "value", f"<b>{change['new']}</b>"), "value")
    box = ipywidgets.VBox([field, page])
    box.add_class("least")
    return box
