"""The site, as far as it can be seen without Sphinx: which pages there are, and what is on them."""

import base64
import importlib
import json
import re
import sys
from random import Random

import nbformat
import pytest
import yaml
from pygments.lexers import get_lexer_by_name
from pygments.lexers.special import TextLexer
from pygments.token import Error

import stridekit
import stridekit_course
from stridekit import explorers
from stridekit_course.questions import LESSONS, bank, by_name, some
from stridekit_course.questions.question import Spot, in_parts, judge
from tests.course.notebooks.notebooks import ALL, ROOT

SITE = ROOT / "site"


@pytest.fixture(scope="module")
def made():
    """The modules under site/, which is not a package."""
    sys.path.insert(0, str(SITE))
    try:
        names = ("docstrings", "dressing", "finish", "links", "pages")
        yield {name: importlib.import_module(name) for name in names}
    finally:
        sys.path.remove(str(SITE))


@pytest.fixture(scope="module")
def laid_out(made, tmp_path_factory):
    """All pages as Sphinx reads them, with notebooks that have not been run."""
    pages = made["pages"]
    folder = tmp_path_factory.mktemp("site")
    pages.PAGES, pages.EXTRA = folder / "pages", folder / "extra"
    pages.lay_out(run=False)
    return pages.PAGES


def test_every_page_is_in_a_toctree_and_every_entry_is_a_page(laid_out):
    """Sphinx says so too, minutes later."""
    entries = set()
    for path in laid_out.rglob("*"):
        if path.suffix not in (".md", ".rst"):
            continue
        text = path.read_text("utf-8")
        trees = re.findall(r"```\{toctree\}(.*?)```", text, re.DOTALL)
        trees += re.findall(r"\.\. toctree::\n((?:   .*\n|\n)+)", text)
        for line in "\n".join(trees).splitlines():
            if line.strip() and not line.strip().startswith(":"):
                entries.add((path.parent / line.strip()).relative_to(laid_out).as_posix())
    there = {
        path.relative_to(laid_out).with_suffix("").as_posix()
        for path in laid_out.rglob("*")
        if path.suffix in (".md", ".rst", ".ipynb")
    }
    assert entries == there - {"index"}
    assert {f"course/{path.stem}" for path in ALL if path.parent.name == "course"} <= entries


def test_code_is_of_the_language_that_is_said(laid_out):
    """Sphinx says so too, minutes later: what a lexer stumbles over ends `make site`."""
    seen = 0
    for path in laid_out.rglob("*.*"):
        if path.suffix == ".ipynb":
            cells = nbformat.read(path, as_version=4).cells
            text = "\n".join(each.source for each in cells if each.cell_type == "markdown")
        elif path.suffix == ".md":
            text = path.read_text("utf-8")
        else:
            continue
        fences = re.findall(r"^(`{3,})(\w+)\n(.*?)^\1$", text, re.DOTALL | re.MULTILINE)
        for _, language, code in fences:
            seen += 1
            lexer = TextLexer() if language == "csv" else get_lexer_by_name(language)
            wrong = [word for kind, word in lexer.get_tokens(code) if kind is Error]
            assert not wrong, f"{path.relative_to(laid_out)}, {language}: {code}"
    assert seen > 50


def test_the_reference_has_all_public_names(made):
    """Beside dtypes and memory formats, which are said in words."""
    pages = made["pages"]
    named = {name for _, _, names in pages.API.values() for name in names}
    said = pages.API["layout"][1]
    wanted = {f"stridekit.{name}" for name in stridekit.__all__} - {"stridekit.explain"}
    wanted |= {f"stridekit.explorers.{name}" for name in explorers.__all__}
    wanted |= {f"stridekit_course.{name}" for name in stridekit_course.__all__}
    numbers = {f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)}
    for name in sorted(wanted - named):
        last = name.rpartition(".")[2]
        assert f"`{last}`" in said or last in numbers, name
    for name in named:
        assert pages.found(name).__doc__, name


def test_docstrings_become_the_markup_that_sphinx_reads(made):
    """Code, lists, doctests; and nothing of what is in words is taken for markup."""
    as_rst = made["docstrings"].as_rst
    lines = [
        "`x` is resize_d by *size, see resize_.",
        "- one",
        "  more",
        "so",
        ">>> f(*`x`)",
        "1 *",
    ]
    assert as_rst(lines) == [
        r"``x`` is resize_d by \*size, see resize\_.", "", "- one", "  more", "", "so",
        ">>> f(*`x`)", "1 *",
    ]  # fmt: skip


def test_what_only_holds_is_folded_and_widgets_are_left_out(made):
    """An explorer is its picture, with a button that opens it."""
    widget = made["dressing"].WIDGET
    cells = [
        nbformat.v4.new_markdown_cell("# Title\n\nWords."),
        nbformat.v4.new_code_cell("assert x", metadata={"tags": ["held"]}),
        nbformat.v4.new_code_cell("plot(x)", metadata={"jupyter": {"source_hidden": True}}),
        nbformat.v4.new_code_cell(
            "index(size=(2,))",
            outputs=[
                nbformat.v4.new_output("display_data", {widget: {"model_id": "a"}}),
                nbformat.v4.new_output("display_data", {widget: {"model_id": "c"}}),
                nbformat.v4.new_output(
                    "display_data", {widget: {"model_id": "b"}, "text/html": "<p>P</p>"}
                ),
            ],
        ),
    ]
    explorer = explorers.index(size=(2,))
    kept = {"b": {"state": {}}, "c": {"state": explorer.get_state()}}
    states = {made["dressing"].STATES: {"state": kept}}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"widgets": states})
    title, held, hidden, shown = made["dressing"].dressed(notebook, "01-x").cells
    assert title.source.startswith("# Title\n")
    assert 'href="../notebooks/01-x.ipynb"' in title.source
    for fold, said in ((held, "What holds here, as asserts"), (hidden, "The code")):
        assert "hide-input" in fold.metadata.tags
        assert fold.metadata.mystnb["code_prompt_show"] == said
    picture, button = (each.data["text/html"] for each in shown.outputs)
    assert picture == "<p>P</p>"
    line = "from stridekit.explorers import index&#10;index(size=(2,))"
    assert f'data-code="{line}"' in button
    assert "widgets" not in notebook.metadata


def test_every_question_of_the_lessons_is_asked_on_its_page(made, laid_out):
    """As data for the page's script, and in closed boxes where none runs; not as code."""
    for path in sorted((laid_out / "course").glob("[0-9]*.ipynb")):
        source = nbformat.read(ROOT / "course" / path.name, as_version=4)
        calls = [each for each in source.cells if each.source.startswith(("ask(", "five("))]
        cells = nbformat.read(path, as_version=4).cells
        asking = [each for each in cells if "remove-input" in each.metadata.get("tags", [])]
        assert len(asking) == len(calls) >= 3
        assert f'href="../notebooks/{path.name}"' in cells[0].source
        for cell in asking:
            (output,) = cell.outputs
            data, closed = re.fullmatch(
                r'<div class="sk-asked"><script type="application/json">(.*?)</script>(.*)</div>',
                output.data["text/html"],
                re.DOTALL,
            ).groups()
            draws = json.loads(data)
            assert len(draws) == (made["dressing"].DRAWS if cell.source.startswith("five") else 1)
            assert closed.count("<details>") == len(draws[0])
            # Nothing that tells is open.
            opened = re.sub("<details>.*?</details>", "", closed, flags=re.DOTALL)
            assert not [each for each in draws[0] if each["said"][0] in opened]


WRITTEN = (
    "", " ", "4", "4,", "3,4", "(3, 4)", "( 3 4 )", "[3,4]", "torch.Size([3, 4])", "size 3 x 4",
    "3×4", "1,000,000", "1_000 000", "1,000", "-1", "−1", "+2", "-0", "--1", "3-4", "007", "two",
    "3.5", "4 slots", "4 Bytes", "4 bits", "slots", ", ,", "size", "1’000", "1\u202f000", "３、４",
    "（３，４）", "()", "(1,)", "12345", "-12345", "9" * 18, "9" * 19, "9" * 37, "1e3",
)  # fmt: skip


def typed(question):
    """What people write and choose: anything, and what the question has words for."""
    known = [each for each in (question.answer, *question.mistakes) if not isinstance(each, Spot)]
    if isinstance(question.answer, Spot):
        where, rank = question.answer.where, question.answer.rank
        known += [where, where + 1, where - rank, where + rank, -rank - 1]
    written = (*WRITTEN, *map(str, known), *(str(each).strip("(,)") for each in known))
    written = written if question.field else ("", "4")
    return [(chosen, each) for chosen in ("", "?", *question.choices) for each in written]


def test_a_page_judges_answers_as_python_does(made, browser):
    """All questions of all lessons, and draws of those that chance makes."""
    questions = [
        by_name(f"{lesson:02}/{name}") for lesson in LESSONS for name in bank.names(lesson)
    ]
    for lesson in LESSONS:
        drawn = some(lesson, 5, seed=7)
        questions += [each for _ in range(3) for each in next(drawn)]
    Random(7).shuffle(questions)
    html = made["dressing"].asked([questions])
    data = json.loads(re.search("<script[^>]*>(.*?)</script>", html, re.DOTALL)[1])[0]
    tried = [typed(question) for question in questions]
    code = base64.b64encode((SITE / "_static" / "answers.js").read_bytes()).decode()
    page = browser.new_page()
    said = page.evaluate(
        """async ([code, all, tried]) => {
            const { judge } = await import(`data:text/javascript;base64,${code}`);
            return JSON.stringify(
                all.map((question, i) => tried[i].map((given) => judge(question, ...given))));
        }""",
        [code, data, tried],
    )
    page.close()
    right = 0
    for question, pairs, answers in zip(questions, tried, json.loads(said), strict=True):
        for pair, answer in zip(pairs, answers, strict=True):
            told = judge(question, *pair)
            words = [list(part) for part in in_parts(told.words)]
            assert answer == {"right": told.right, "words": words, "code": told.code}, (
                question.text, pair,
            )  # fmt: skip
            right += told.right is True
    assert right > len(questions)


def test_links_that_lead_nowhere_are_told(made, tmp_path):
    """And what a page would load from elsewhere; what one may follow is let be."""
    (tmp_path / "b.html").write_text('<p id="here">')
    (tmp_path / "a.html").write_text(
        '<a href="b.html#here"><a href="b.html#gone"><a href="c.html"><a href="https://a.example">'
        '<script src="https://b.example/x.js"></script>'
    )
    told = made["links"].problems(tmp_path)
    assert told == [
        "a.html: b.html#gone leads to no place in b.html",
        "a.html: c.html leads to no file",
        "a.html: https://b.example/x.js is loaded from elsewhere",
    ]


def test_what_the_theme_writes_is_mended(made):
    """Each of these was one of axe-core's complaints."""
    mended = made["finish"].mended
    assert mended("a<p>b") == "a<p>b"
    for written, meant in made["finish"].MENDED:
        assert mended(written) == meant


def test_a_picture_says_how_wide_it_is(made):
    """So that the style sheet can have it fit a phone. What is not a picture of ours stays."""
    mended = made["finish"].mended
    diagram = stridekit.draw(stridekit.arange(6))
    page = mended(diagram._repr_mimebundle_()["text/html"])
    width = re.search(r'<svg [^>]*width="(\d+)"', diagram.svg())[1]
    assert re.search(rf'style="max-width: 100%; --width: {width}px"[^>]* src="data:', page)
    figure = base64.b64encode(b'<svg width="90pt" height="9pt">').decode()
    ours, source = '<img class="stridekit" style="max-width: 100%"', "data:image/svg+xml;base64,"
    assert mended(f'{ours} src="{source}{figure}">').startswith(f"{ours[:-1]}; --width: 120px")
    assert mended(f'<img style="max-width: 100%" src="{source}{figure}">').startswith(ours[:-1])
    for other in (f'{ours} src="{source}AAAABBBB">', f'<img alt="a" src="{source}{figure}">'):
        assert mended(other) == other


def test_the_gallery_keeps_room_for_pictures_that_come_late(made, tmp_path, monkeypatch):
    """Or a link to a heading leads to where it was before they came. Also for a phone's form."""
    monkeypatch.setattr(made["pages"], "EXTRA", tmp_path)
    page = tmp_path / "docs" / "gallery" / "README.md"
    page.parent.mkdir(parents=True)
    page.write_text("![a picture](transpose.svg)", "utf-8")
    made["pages"].hang(tmp_path)
    shown = page.read_text("utf-8")
    for name, where in (("transpose", "src"), ("transpose-narrow", "srcset")):
        svg = (tmp_path / "pictures" / f"{name}.svg").read_text("utf-8")
        room, width = re.search(r'<svg .*?(width="(\d+)" height="\d+")', svg).groups()
        assert f'{room} {where}="../../pictures/{name}.svg"' in shown
        assert f"{'--width' if where == 'src' else '--narrow'}: {width}px" in shown


def test_the_workflow_makes_looks_and_publishes():
    """In this order, and only main is published."""
    jobs = yaml.safe_load((ROOT / ".github/workflows/pages.yml").read_text("utf-8"))["jobs"]
    steps = [step.get("run", step.get("uses", "")) for step in jobs["build"]["steps"]]
    names = ("make site ", "make site-check", "actions/upload-pages-artifact")
    places = [next(i for i, step in enumerate(steps) if step.startswith(name)) for name in names]
    assert places == sorted(places)
    assert "refs/heads/main" in jobs["publish"]["if"]
