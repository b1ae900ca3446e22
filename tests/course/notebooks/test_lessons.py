"""Lessons run from top to bottom, and hold what a lesson holds."""

import base64
import re
import warnings
from functools import cache

import nbformat
import pytest
import yaml
from nbconvert import HTMLExporter

from stridekit import explorers
from stridekit_course.exporting import for_a_page
from tests.accessibility import violations
from tests.course.notebooks.notebooks import (
    EXPLORERS,
    GLOSSARY,
    LESSONS,
    MYTHS,
    OWN_CODE,
    ROOT,
    SOURCES,
    name,
    run,
)

VERDICTS = {
    "holds": "Holds",
    "half-true": "Half true",
    "wrong": "Wrong",
    "outdated": "Outdated",
    "false": "False",
}


def facts_of(path):
    """The claims and myths that belong to a lesson."""
    listed = ROOT / "docs" / "facts" / f"{path.stem[:2]}.yml"
    return yaml.safe_load(listed.read_text("utf-8"))


FACTS = {path.stem: facts_of(path) for path in LESSONS}

lessons = pytest.mark.parametrize("path", LESSONS, ids=name)


@pytest.fixture(scope="module", params=LESSONS, ids=name)
def executed(request):
    """Each lesson, run once, with warnings as errors; the last with all forms of its pictures."""
    return run(request.param, pngs=request.param == LESSONS[-1])


ran = cache(run)


def outputs(notebook, kind):
    """What the cells gave in one form."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if kind in output.get("data", {}):
                yield output.data[kind]


def test_it_runs_and_its_pictures_have_alt_text(executed):
    """Every diagram is an image that says what it shows."""
    pages = [page for page in outputs(executed, "text/html") if "<img" in page]
    assert len(pages) >= 4
    for page in pages:
        assert re.search(r'<img alt="[^"]{40,}"', page)
        kind, source = re.search(r"data:image/(svg\+xml|png);base64,([^\"]+)", page).groups()
        assert (
            base64.b64decode(source)
            .lstrip()
            .startswith((b"<svg", b"<?xml") if kind == "svg+xml" else b"\x89PNG")
        )


def test_it_writes_nothing_to_stderr(executed):
    """A lesson that warns is a lesson that frightens."""
    for cell in executed.cells:
        for output in cell.get("outputs", []):
            assert output.get("name") != "stderr", output


# A window in which an exported page's outputs are as wide as in JupyterLab, in one of 1280 pixels
# beside its file browser: `tests/browser/test_lab.py` sees to that.
OUTPUT_WIDTH, WINDOW = 848, {"width": 958, "height": 900}
TOO_WIDE = """() => [
        ...document.querySelectorAll('.jp-OutputArea-output, .jp-MarkdownOutput, body')]
    .filter(area => area.scrollWidth > area.clientWidth + 1)
    .map(area => area.innerText.slice(0, 80))"""


@cache
def exporter():
    """What makes pages."""
    return HTMLExporter(preprocessors=[for_a_page])


@pytest.fixture(scope="module")
def page(browser):
    """A window, for one notebook after the other: axe-core is loaded once."""
    page = browser.new_page(viewport=WINDOW)
    yield page
    page.close()


def faults_of_a_page(executed, page):
    """What scrolls sideways on its exported page with all folds open, and what axe-core says."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nbconvert's own
        html, _ = exporter().from_notebook_node(nbformat.from_dict(executed))
    page.set_content(html, wait_until="load")
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    outputs = page.locator(".jp-OutputArea-output")
    widths = outputs.evaluate_all("all => all.map(each => each.clientWidth)")
    assert max(widths, default=OUTPUT_WIDTH) == OUTPUT_WIDTH
    return page.evaluate(TOO_WIDE), violations(page)


def test_as_a_page_it_scrolls_nowhere_sideways_and_axe_has_nothing_to_say(executed, page):
    """Formulas are not typeset on it: they come from elsewhere."""
    assert faults_of_a_page(executed, page) == ([], [])


@pytest.mark.parametrize("path", [MYTHS, OWN_CODE, GLOSSARY], ids=name)
def test_so_it_is_with_pages_beside_lessons(path, page):
    """The same of those. The glossary, which has no code, is a page as nbconvert makes any."""
    too_wide, found = faults_of_a_page(ran(path), page)
    assert too_wide == []
    assert [rule for rule, _ in found] == ["link-in-text-block"] * (path == GLOSSARY)


def test_questions_are_asked_and_answers_wait(executed):
    """Predictions and a bank of questions, as widgets; closed boxes where no kernel answers."""
    asked = [page for page in outputs(executed, "text/html") if "<summary>Answer</summary>" in page]
    assert len(asked) >= 2
    for page in asked:
        assert page.count("<details>") == page.count("</details>") >= 1
        assert "<details open" not in page


def visible_lines(path):
    """The lines of code that a learner sees first: neither blank nor comments."""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code" and not cell.metadata.get("jupyter", {}).get("source_hidden"):
            for line in map(str.strip, cell.source.splitlines()):
                if line and not line.startswith("#"):
                    yield line


@lessons
def test_it_shows_before_it_asserts(path):
    """At most one in six lines of the code that is seen is an assert."""
    lines = [*visible_lines(path)]
    assert sum(line.startswith("assert") for line in lines) <= len(lines) / 6


@lessons
def test_what_is_hidden_only_holds(path):
    """A cell that is folded has asserts, and what they need; or it only makes a figure."""
    for cell in nbformat.read(path, as_version=4).cells:
        tags = {*cell.metadata.get("tags", [])}
        is_hidden = cell.metadata.get("jupyter", {}).get("source_hidden", False)
        assert is_hidden is bool(tags & {"held", "plumbing"})
        if "held" in tags:
            # JupyterLab shows the first line of a folded cell.
            assert cell.source.startswith("# What is said here, checked.\n"), cell.id
            assert re.search(r"^\s*assert ", cell.source, re.MULTILINE), cell.id


@lessons
def test_it_begins_with_something_that_happens(path):
    """Before anything is explained; and it ends with one picture and five questions."""
    cells = nbformat.read(path, as_version=4).cells
    ids = [cell.id for cell in cells]
    goals = next(i for i, cell in enumerate(cells) if "After this lesson you can" in cell.source)
    assert ids.index("hook-run") < goals <= 5
    assert ids.index("sheet") > ids.index("check")


@lessons
def test_it_ends_with_five_questions(path):
    """Drawn from its bank. Only the detective's cases wait for answers in code."""
    number = int(path.stem[:2])
    sources = [cell.source for cell in nbformat.read(path, as_version=4).cells]
    assert sources.count(f"five({number})") == 1
    assert number == 14 or not any(re.search(r"(?<!\w)answer\(", source) for source in sources)


def detective(known, cell_id, dots="...", written="..."):
    """Run a cell of lesson 14, with what a learner has written in place of the dots."""
    cells = {cell.id: cell.source for cell in nbformat.read(LESSONS[13], as_version=4).cells}
    exec(cells[cell_id].replace(dots, written), known)


@pytest.mark.parametrize(
    ("case", "repair", "says"),
    [
        ("lost", "", "Not answered"),
        ("lost", "x.reshape(2, -1).add_(bias[:, None])", "Not yet: [0.0, 0.0]"),
        ("lost", "return x + bias[:, None, None]", "Not yet: [0.0, 0.0]"),
        ("lost", "x += bias[:, None, None]", "Right"),
        ("rows", "", "Not answered"),
        ("rows", "table[::2]", "Not yet: None"),
        ("rows", "return [table[0], table[2], table[4]]", "Not yet: [tensor("),
        ("rows", "return table[::2]", "Right"),
        ("twice", "", "Not answered"),
        ("twice", "x.clone()", "Not yet: None"),
        ("twice", "return x.contiguous()", "Not yet: (1, True, False, True)"),
        (
            "twice",
            "return torch.empty_like(x, memory_format=torch.contiguous_format).copy_(x)",
            "Right",
        ),
        ("history", "", "Not answered"),
        ("history", "return state.clone()", "Not yet: []"),
        ("history", "history.append(state.clone().view(-1))", "Right"),
        ("taper", "", "Not answered"),
        ("taper", "x.unfold(0, 3, 1) * weights", "Not yet: None"),
        ("taper", "return x.unfold(0, 3, 1) * weights", "Right"),
    ],
)
def test_a_repair_that_was_tried_is_judged(case, repair, says, capsys):
    """A wrong one is not taken for one that was not given: say, where nothing is returned."""
    known = {}
    for cell_id in ("setup", "idea-draw", "cases-clues", f"{case}-run"):
        detective(known, cell_id)
    capsys.readouterr()
    detective(known, f"{case}-answer", "return ...", repair or "return ...")
    assert capsys.readouterr().out.startswith(says)


@pytest.mark.parametrize(
    ("tried", "says"),
    [
        ("...", "Not answered"),
        ("t.view(6, 4)", "Not yet: 'size (6, 4)"),
        ("t.t", "Not yet: <built-in method"),
        ("'t.t()'", "Not yet: 't.t()'"),
        ("t.stride()", "Not yet: (6, 1) is not it. (Your answer is a tuple"),
        ("t.t()", "Right"),
    ],
)
def test_whatever_is_tried_on_a_mystery_is_judged(tried, says, capsys):
    """Also what is no tensor: nobody is shown an attribute of ours that it lacks."""
    known = {}
    for cell_id in ("setup", "idea-draw", "cases-clues", "case-one-draw"):
        detective(known, cell_id)
    capsys.readouterr()
    detective(known, "case-one-answer", written=tried)
    assert capsys.readouterr().out.startswith(says)


def tagged(path):
    """The cells of a notebook that check a claim or a myth: its tag, and the text above it."""
    found = {}
    text = ""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            text = cell.source
        for tag in cell.metadata.get("tags", []):
            if tag.startswith(("claim:", "myth:")):
                assert cell.cell_type == "code"
                assert "assert " in cell.source
                assert tag not in found
                found[tag] = text
    return found


@pytest.mark.parametrize("path", [*LESSONS, MYTHS], ids=name)
def test_no_verdict_stands_open_below_a_box(path):
    """What a reader is to decide is shown first, and asserted where he does not look."""
    is_below_box = False
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            is_below_box = "<details" in cell.source
        elif is_below_box and "held" not in cell.metadata.get("tags", []):
            assert not re.search(r"^\s*assert |AssertionError", cell.source, re.MULTILINE), cell.id


def test_a_claim_is_shown_before_it_is_asserted():
    """On the page of claims, too, each cell that is seen shows something and asserts nothing."""
    for cell in nbformat.read(MYTHS, as_version=4).cells:
        if cell.cell_type == "code" and "held" not in cell.metadata.get("tags", []):
            assert "assert " not in cell.source, cell.id


ELSEWHERE = tagged(MYTHS)


@lessons
def test_its_claims_and_myths_are_executed_asserts(path):
    """Two or three that surprise stand in the lesson, the others on their page, with verdicts."""
    here = tagged(path)
    assert len(here) == 0 if path.stem.startswith("14") else 2 <= len(here) <= 3
    listed = {
        f"{fact['kind']}:{fact['id']}": VERDICTS[fact["verdict"]] for fact in FACTS[path.stem]
    }
    assert not set(here) & set(ELSEWHERE)
    assert set(listed) == set(here) | (set(listed) & set(ELSEWHERE))
    for tag, verdict in listed.items():
        assert f"**{verdict}" in {**ELSEWHERE, **here}[tag], tag


def test_the_page_of_myths_and_claims_runs():
    """By subject, each with its verdict; and no more than the lessons list."""
    executed = ran(MYTHS)
    assert not [*outputs(executed, "error")]
    listed = {f"{fact['kind']}:{fact['id']}" for facts in FACTS.values() for fact in facts}
    assert set(ELSEWHERE) < listed
    headings = [cell.source for cell in executed.cells if cell.source.startswith("## ")]
    assert len(headings) == 13


def test_no_claim_and_no_myth_is_lost():
    """All 103, each once, in words of our own, by the subject of the article."""
    facts = [fact for listed in FACTS.values() for fact in listed]
    ids = [fact["id"] for fact in facts]
    assert len(ids) == len(set(ids))
    numbered = {"A": 15, "B": 14, "C": 15, "D": 17, "M": 42}
    assert set(ids) == {f"{k}{n}" for k, count in numbered.items() for n in range(1, count + 1)}
    for fact in facts:
        assert fact["kind"] == ("myth" if fact["id"].startswith("M") else "claim")
        assert ("article" in fact) is (fact["kind"] == "claim")
        assert (fact["verdict"] == "false") is (fact["kind"] == "myth")
        assert len(fact["says"]) > 10
        assert len(fact["truth"]) > 10


@lessons
def test_it_has_the_parts_of_a_lesson(path):
    """In their order."""
    cells = nbformat.read(path, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    parts = [
        "**After this lesson you can**",
        "**Time:**",
        "**Builds on:**",
        "## Predict first",
        "## The idea",
        "## The arithmetic",
        "## Try it",
        "## Where you will meet it",
        "## What the internet says",
        "## Check yourself",
        "## Summary",
        "**Now open:**",
    ]
    places = [text.find(part) for part in parts]
    assert -1 not in places, parts[places.index(-1)]
    assert places == sorted(places)
    summary = text[text.index("## Summary") :]
    assert len(re.findall(r"^\d\. ", summary, re.MULTILINE)) == 5


@pytest.mark.parametrize("path", [ROOT / "course" / "index.ipynb", *SOURCES], ids=name)
def test_the_other_notebooks_run_too(path):
    """The index, and the assignments with their own solutions."""
    run(path)


def test_the_page_of_explorers_shows_them_all():
    """Each as a widget, and as a picture with alt text for where no kernel answers."""
    executed = run(EXPLORERS)
    opened = [cell.source for cell in executed.cells if cell.source.endswith("()")]
    assert opened == [f"{each}()" for each in explorers.EXPLORERS]
    views = [*outputs(executed, "application/vnd.jupyter.widget-view+json")]
    pages = [page for page in outputs(executed, "text/html") if "<img alt=" in page]
    assert len(views) == len(pages) == len(opened) + 1


def test_the_page_on_your_own_code_shows_reasons_and_tables():
    """Five cells fail as they are meant to, each with its reason below; all others run."""
    executed = ran(OWN_CODE)
    meant = ["raises-exception" in cell.metadata.get("tags", []) for cell in executed.cells]
    failed = [
        any(output.output_type == "error" for output in cell.get("outputs", []))
        for cell in executed.cells
    ]
    assert failed == meant
    assert sum(meant) == 5
    for cell, fails in zip(executed.cells, meant, strict=True):
        if fails:
            assert "Why, in memory" in cell.outputs[-1].data["text/html"]
            assert '<img alt="' in cell.outputs[-1].data["text/html"]
    tables = [page for page in outputs(executed, "text/html") if "<table>" in page]
    assert len(tables) == 2
