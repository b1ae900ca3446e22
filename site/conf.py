"""How Sphinx makes the site. The pages themselves are laid out by `build.py`, which calls it."""

import sys
from datetime import date
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import docstrings  # noqa: E402
import mathml  # noqa: E402
from pygments.lexers.special import TextLexer  # noqa: E402
from sphinx.application import Sphinx  # noqa: E402

import stridekit  # noqa: E402

project = "stridekit"
author = "The stridekit authors"
copyright = f"{date.today().year}, {author}"  # noqa: A001 - Sphinx's name for it
version = release = stridekit.__version__
language = "en-GB"

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]
# What is written twice, or leads nowhere, is a mistake of ours.
nitpicky = True
suppress_warnings: list[str] = []

# Notebooks come with their outputs: notebooks.py runs them, and knows when to do so again.
nb_execution_mode = "off"
# What shows widgets would be fetched from elsewhere.
nb_ipywidgets_js: dict[str, dict[str, str]] = {}
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
nb_merge_streams = True

myst_enable_extensions = ["dollarmath", "attrs_block"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

# JupyterLab's name for a heading, so that links work there and here.
myst_heading_slug_func = "dressing.slug"

# Docstrings are written in Markdown's plain words; see docstrings.py.
default_role = "code"
autodoc_typehints = "signature"
autodoc_member_order = "alphabetical"
autodoc_preserve_defaults = True
autosummary_generate = False
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries_show_parents = "hide"
# Types of the standard library, of NumPy and of torch have no page here; nor have ours that
# nobody makes by hand.
nitpick_ignore_regex = [("py:.*", ".*")]

html_math_renderer = "mathml"
html_theme = "furo"
html_title = "stridekit"
# Beside the site's own: what a picture and a question need to answer, as in a notebook.
_QUESTIONS = HERE.parent / "stridekit_course" / "questions"
html_static_path = [
    "_static", *(str(_QUESTIONS / f"questions.{kind}") for kind in ("css", "js")),
    str(HERE.parent / "stridekit" / "diagrams" / "touch.js"),
]  # fmt: skip
html_extra_path = [str(HERE.parent / "build" / "site" / "extra")]
html_css_files = ["questions.css", "site.css"]
html_js_files = [("site.js", {"type": "module"})]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    # Pictures stand on cards of these colours, so that they end nowhere.
    "light_css_variables": {"color-background-primary": "#ffffff"},
    "dark_css_variables": {"color-background-primary": "#111111"},
    "navigation_with_keys": False,
    "top_of_page_buttons": [],
}


def setup(app: Sphinx) -> None:
    """Docstrings as they are written here, and mathematics that needs no script."""
    docstrings.setup(app)
    # Pygments has no colours for tables in text, and none are needed.
    app.add_lexer("csv", TextLexer)
    mathml.setup(app)
