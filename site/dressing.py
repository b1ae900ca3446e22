"""What becomes of a notebook on its way to a page."""

import html
from typing import Any

import nbformat

WIDGET = "application/vnd.jupyter.widget-view+json"
STATES = "application/vnd.jupyter.widget-state+json"


def slug(title: str) -> str:
    """JupyterLab's name for a heading.

    >>> slug("view and reshape")
    'view-and-reshape'
    """
    return title.replace(" ", "-")


def dressed(notebook: nbformat.NotebookNode, name: str) -> nbformat.NotebookNode:
    """A notebook for the site: what only holds is folded, widgets are what they are without one."""
    states = notebook.metadata.pop("widgets", {}).get(STATES, {}).get("state", {})
    for cell in notebook.cells:
        # Attachments and names of cells are for JupyterLab.
        if cell.cell_type != "code":
            continue
        tags = cell.metadata.setdefault("tags", [])
        if "held" in tags:
            tags.append("hide-input")
            cell.metadata["mystnb"] = {
                "code_prompt_show": "What holds here, as asserts",
                "code_prompt_hide": "What holds here, as asserts",
            }
        tries = [_button(each, states) for each in cell.outputs if WIDGET in each.get("data", {})]
        cell.outputs = [each for each in cell.outputs if _stays(each)] + [
            nbformat.v4.new_output("display_data", {"text/html": button})
            for button in tries
            if button
        ]
    first = notebook.cells[0]
    title, _, rest = first.source.partition("\n")
    href = f"../notebooks/{name}.ipynb"
    link = f'<p class="sk-notebook"><a href="{href}" download>Download as a notebook</a></p>'
    first.source = f"{title}\n\n{link}\n{rest}"
    return notebook


def _stays(output: Any) -> bool:
    """Whether an output is shown; a widget is taken out of those that have another form."""
    data = output.get("data", {})
    if WIDGET not in data:
        return True
    del data[WIDGET]
    return "text/html" in data


def _button(output: Any, states: dict[str, Any]) -> str:
    """What opens an explorer where it stands, in the state that is shown; nothing for others."""
    state = states.get(output["data"][WIDGET]["model_id"], {}).get("state", {})
    line = state.get("answer", {}).get("line", "")
    if not line:
        return ""
    name = line.partition("(")[0]
    code = html.escape(f"from stridekit.explorers import {name}\n{line}").replace("\n", "&#10;")
    return (
        f'<p><button type="button" class="sk-try" data-code="{code}" '
        f'data-title="Explorer: {name}">Try it here</button></p>'
    )
