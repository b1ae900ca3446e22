"""What an exported page shows of a notebook: it has no kernel, and JupyterLab folds nothing there.

The package brings a setting into the environment's `etc/jupyter`, where `jupyter nbconvert` and
JupyterLab's *Save and Export Notebook As* look by themselves: `jupyter nbconvert --to html
course/03-*.ipynb`. `stridekit lab` tells them once more, where Jupyter lies in another environment.
Other notebooks of that environment are left as they are.
"""

import re
from typing import Any

IMPORTED = re.compile(
    r"^\s*(?:import|from) stridekit(?:_course)?\b|^%load_ext stridekit\b", re.MULTILINE
)
WIDGET = "application/vnd.jupyter.widget-view+json"
# What tracebacks are coloured with, in the light theme and in the dark.
ANSI = {
    "red": ("#a61e22", "#ff9a90"),
    "green": ("#00601f", "#5fd68b"),
    "yellow": ("#7a4b00", "#e3c04f"),
    "blue": ("#0050a8", "#8cc2ff"),
    "magenta": ("#8a1f80", "#eba8e3"),
    "cyan": ("#005f66", "#60d6d8"),
}
DARK = 'body[data-jp-theme-light="false"]'
# nbconvert's prompts, numbers, operators, comments and tracebacks are too pale to be read; its
# links differ from text by colour alone.
READABLE = "\n".join(
    [
        """<style>
.jp-InputArea .jp-InputPrompt, .jp-OutputArea .jp-OutputPrompt {
  color: var(--jp-content-font-color1) !important; opacity: 1 !important; }
.highlight :is(.mi, .mf, .mh, .o, .ow) { color: inherit !important; }
.highlight :is(.c, .c1, .cm) { color: #2f6b6b !important; }""",
        f"{DARK} .highlight :is(.c, .c1, .cm) {{ color: #9ad1d1 !important; }}",
        *(
            f"{theme}.jp-RenderedText :is(.ansi-{name}-fg, .ansi-{name}-intense-fg) "
            f"{{ color: {colour} !important; }}"
            for name, colours in ANSI.items()
            for theme, colour in zip(("", f"{DARK} "), colours, strict=True)
        ),
        # Of 256 colours some are legible on light red, and others on dark red.
        """.jp-RenderedText[data-mime-type$=".stderr"] span[style*="color:"] {
  color: inherit !important; }
.jp-RenderedHTMLCommon a:link, .jp-RenderedHTMLCommon a:visited {
  text-decoration: underline; }
</style>""",
    ]
)


def for_a_page(notebook: Any, resources: Any) -> tuple[Any, Any]:
    """A preprocessor of nbconvert, which gives it a copy of the notebook.

    - A widget with a form in HTML is shown in that form: a question with its answer in a closed
      box, an explorer as its picture. Without a kernel the widget would stay empty or mute.
    - A cell whose source is folded in JupyterLab is folded here, too. What it put out stays.
    - Prompts and links are legible: see READABLE.

    A notebook that does not import stridekit is given back as it is.
    """
    if not any(
        cell["cell_type"] == "code" and IMPORTED.search(cell["source"])
        for cell in notebook["cells"]
    ):
        return notebook, resources
    cells = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "text/html" in data:
                data.pop(WIDGET, None)
        is_folded = cell["cell_type"] == "code" and cell["metadata"].get("jupyter", {}).get(
            "source_hidden"
        )
        if is_folded and cell["source"].strip():
            cells.append(_folded(cell))
            cell["metadata"]["transient"] = {"remove_source": True}
        if not is_folded or cell["outputs"]:
            cells.append(cell)
    notebook["cells"] = cells
    shown = [output.get("data", {}) for cell in cells for output in cell.get("outputs", [])]
    if not any(WIDGET in data for data in shown):
        # The state of all widgets would say again what the page says, in JSON.
        notebook["metadata"].pop("widgets", None)
    # Where pages are made safe, the tag would go and its text stay.
    if not resources.get("should_sanitize_html"):
        cells.append(_text(notebook, "readable", READABLE))
    return notebook, resources


def _folded(cell: Any) -> Any:
    """The source of a cell as text in a closed box."""
    source = cell["source"].strip()
    tags = [*cell["metadata"].get("tags", [])]
    said = "What holds here, as code" if "held" in tags else "The code"
    # Longer than any fence that stands in the source.
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", source)), default=0))
    text = _text(
        cell,
        f"{cell.get('id', 'cell')}-folded"[:64],
        f"<details><summary>{said}</summary>\n\n{fence}python\n{source}\n{fence}\n\n</details>",
    )
    text["metadata"]["tags"] = tags
    return text


def _text(like: Any, name: str, source: str) -> Any:
    """A cell of text, of the kind of dict that `like` is."""
    kind = type(like)
    return kind(cell_type="markdown", id=name, metadata=kind(), source=source)
