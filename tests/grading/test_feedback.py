"""Pages of feedback: what is on them, what is never on them, and the commands that make them."""

import html
import json
import re
import shutil
import subprocess
from types import SimpleNamespace

import pytest
from nbconvert.exporters import HTMLExporter
from nbconvert.filters import markdown2html
from nbformat.notebooknode import from_dict
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.server_extensions.formgrader.formgrader import FormgradeExtension

from stridekit.command import main
from stridekit_grading import feedback as pages
from stridekit_grading import safe_html
from stridekit_grading.course import Course
from stridekit_grading.feedback_pages import BYTES_MOST, FeedbackPage
from tests import warm
from tests.accessibility import violations
from tests.grading.small_courses import (
    BEGIN,
    CONFIG,
    END,
    SCHEME,
    cell,
    check,
    grade,
    hand_in,
    make_course,
    manual,
    nbgrader,
    read_only,
    solution,
    task,
)

INSTALL = "from stridekit_grading.nbgrader_apps import install\ninstall(c)\n"
HIDDEN = f"# More runs here.\n{BEGIN}\nassert half(7311) == 3655, 'seed=4711'\n{END}"
MIXED = f"assert len(word) > 2, 'too short'\n{BEGIN}\nassert word != 'mellon', word + '7311'\n{END}"
TEXT = (
    "## half\n\nWrite `half`: $n_1 / 2$, rounded down.\n\n"
    "<details><summary>Hint</summary>\n\n`//`\n\n</details>"
)
CELLS = [
    cell("# Work\n\nThe whole story of this assignment.", "markdown"),
    cell(TEXT, "markdown"),
    solution("half", "def half(n):\n    return n // 2"),
    check("test-half-visible", "assert half(4) == 2, 'half(4) is 2'", 2),
    check("test-half-hidden", HIDDEN, 3),
    solution("word", "word = 'friend'"),
    check("a-word", MIXED, 2),
    manual("why", 4),
    task("plot", 2),
    read_only("last", "print('done')"),
]
# A name as people have them, and one that would like to be more.
ZOE, ROGUE = "zoë & <co>", "r'o\"gue"
PICTURE = (
    "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><script>alert(2)</script></svg>"
)
HOSTILE = f"""
from IPython.display import HTML, SVG, Javascript, display
display(HTML("<script>alert(3)</script><img src=x onerror=alert(4)><b>bold</b>"))
display(HTML("<iframe src='https://example.org'></iframe><img src='https://example.org/x.png'>"))
FAR = 'https://example.org'
display(HTML(f"<svg><image href='{{FAR}}/a.png'/><use href='{{FAR}}/b.svg#c'/></svg>"))
display(HTML(f"<p style='background: url({{FAR}}/d.png)'>p</p><img srcset='{{FAR}}/e.png 1x'>"))
display(HTML(f"<style>@import '{{FAR}}/f.css'</style><link rel=stylesheet href='{{FAR}}/g.css'>"))
display(HTML(f"<video poster='{{FAR}}/h.png' src='{{FAR}}/i.mp4' autoplay></video>"))
display(Javascript("alert(5)"))
display(SVG({PICTURE + "</svg>"!r}))
print("</pre><script>alert(6)</script>")
def half(n):
    raise ValueError("</p><script>alert(7)</script>")
"""
NOTES = (
    "<script>alert(8)</script> [here](javascript:alert(9)) <img src=x onerror=alert(10)>\n\n"
    "![far](https://example.org/y.png) <style>p {display: none}</style> $x_1 < x_2$"
    "\n\nagain: <img srcset='https://example.org/z.png 1x'>"
)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A class, graded, with pages made by `stridekit feedback`."""
    root = make_course(
        tmp_path_factory.mktemp("a b") / "course", "ps", {"main": CELLS}, CONFIG + INSTALL
    )
    right = {"half": "def half(n):\n    return n // 2", "word": "word = 'friend'", "why": "So."}
    hand_in(root, "ada", "ps", "main", right)
    late = hand_in(root, ZOE, "ps", "main", {**right, "half": "def half(n):\n    return n / 2"})
    (late / "timestamp.txt").write_text("2026-03-05 12:30:00 UTC")
    (late / "submission_secret.txt").write_text("s3cret")
    added = [cell("# Mine\n\nIt is *clear*.", "markdown"), cell("print('added', 6 * 7)")]
    answers = {
        "half": "def half(n):\n    return 2",
        "word": "word = 'mellon'",
        "why": "YOUR ANSWER HERE",
    }
    hand_in(root, "bea", "ps", "main", answers, added)
    hand_in(root, ROGUE, "ps", "main", {"half": HOSTILE, "why": NOTES}, [cell(NOTES, "markdown")])
    lost = hand_in(root, "finn", "ps", "main", right)
    (lost / "main.ipynb").rename(lost / "other.ipynb")
    done = grade(root, "ps")
    assert done.returncode == 0, done.stderr
    with Gradebook(f"sqlite:///{root}/gradebook.db", "small") as book:
        book.update_or_create_assignment("ps", duedate="2026-03-03 10:00:00 UTC")
        book.update_or_create_student(ZOE, first_name="Zoë", last_name="Müller <&>")
        book.find_submission_notebook("main", "ps", ZOE).late_submission_penalty = 1.5
        why = book.find_grade("why", "main", "ps", ZOE)
        why.manual_score, why.extra_credit, why.needs_manual_grade = 3.5, 0.5, False
        said = book.find_comment("why", "main", "ps", ZOE)
        said.manual_comment = "Well **argued**, but <script>alert(0)</script> see $x^2$."
        book.db.commit()
    done = feedback(root, "ps", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert "Feedback for 5 learners is in" in done.stdout
    return root


def feedback(root, *arguments):
    """`stridekit feedback`, in a fork of a process that has imported it."""
    return subprocess.run(
        warm.python(warm.GRADING, "-m", "stridekit", "feedback", *arguments),
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def run(monkeypatch, capsys):
    """The same, here: status, what it prints, and what it prints as errors."""

    def run(root, *arguments):
        monkeypatch.chdir(root)
        status = main(["feedback", *arguments, "--jobs", "1"])
        return status, *capsys.readouterr()

    return run


def page_of(root, learner):
    """Its markup."""
    return (root / "feedback" / learner / "ps" / "main.html").read_text("utf-8")


def words(markup):
    """What of a page is read."""
    without = re.sub(
        r"<style>.*?</style>|<[^>]*>", " ", markup.replace("<wbr>", ""), flags=re.DOTALL
    )
    for name, sign in (("lt", "<"), ("gt", ">"), ("#34", '"'), ("#39", "'"), ("amp", "&")):
        without = without.replace(f"&{name};", sign)
    return " ".join(without.split())


def test_right_work_is_told_so(course):
    """With the work; the course's own text is folded, and what begins the notebook is left out."""
    page = page_of(course, "ada")
    assert "2 of 4 parts right, 2 not decided yet." in words(page)
    assert "half ✓ right 5 / 5" in words(page)
    assert "<details><summary>What was asked</summary>" in page
    assert "<summary>Hint</summary>" in page
    assert "<code>$n_1 / 2$</code>" in page
    assert "whole story" not in page
    assert "last" not in words(page)


def test_who_when_how_late_and_what_it_costs(course):
    """As the gradebook says; a page is for whoever has that name."""
    page = words(page_of(course, ZOE))
    assert "Zoë Müller <&> 2 of 4 parts right, 1 not decided yet. Points 6.5 / 13 so far" in page
    assert f"Learner {ZOE} Handed in" in page
    assert "Handed in 5 March 2026, 12:30 UTC In time? 2 days 2 hours late" in page
    assert "Late 2 days 2 hours late −1.5" in page
    assert "Together with 0.5 of extra credit 6.5 / 13" in page


def test_manual_scores_and_comments(course):
    """An instructor's comment is Markdown, and runs nothing."""
    page = page_of(course, ZOE)
    assert "Graded by hand. With 0.5 of extra credit. There is a comment. 4 / 4" in words(page)
    assert "Comment from your instructor" in page
    assert "Well <strong>argued</strong>" in page
    assert "<code>$x^2$</code>" in page
    assert "Comment No response." in words(page_of(course, "bea"))


def test_a_hidden_test_tells_nothing_of_itself(course):
    """No code, no arguments, no seed; only that it fails. The visible one says on what."""
    for learner in ("ada", ZOE, "bea", ROGUE, "finn"):
        page = page_of(course, learner)
        for secret in ("7311", "4711", "3655", "HIDDEN TESTS", "seed"):
            assert secret not in page, learner
    page = words(page_of(course, "bea"))
    assert "half ◐ partly right A hidden test fails. 2 / 5" in page
    assert "a-word ✗ wrong A hidden test fails. 0 / 2" in page
    assert "too short" not in page_of(course, "ada")


def test_what_somebody_added_is_shown(course):
    """With its output, behind all that is graded."""
    page = words(page_of(course, "bea"))
    assert "More of your own Mine It is clear ." in page
    assert "print ( 'added' , 6 * 7 ) added 42" in page


def test_needs_a_human_says_so(course):
    """Points are never a plain 0, and the reason is there."""
    page = words(page_of(course, "finn"))
    assert "Needs a human." in page
    assert "the notebook is called other.ipynb, not main.ipynb" in page.lower()
    assert "half ? needs a human The points are not decided yet. ? / 5" in page
    assert "plot ? needs a human" in words(page_of(course, "ada"))
    assert "isolation" not in page_of(course, "finn")


def test_nobody_runs_anything_on_a_page(course):
    """Not by text, not by outputs, not by messages, not by names."""
    page = page_of(course, ROGUE)
    assert "<b>bold</b>" in page
    assert "&lt;/pre&gt;&lt;script&gt;alert(6)" in page
    body = page[page.index("<body>") :]
    assert not re.search(r"<(script|iframe|style|svg|object|link|form|base|meta)\b", body)
    assert not re.search(r"<[^>]*\s(on\w+|srcdoc)\s*=", body)
    assert not re.search(r"""(src|href)="(?!data:image/|#)""", body)


def test_the_same_pages_by_every_way(course, tmp_path):
    """nbgrader's command and Formgrader's button make what ours makes."""
    copy = tmp_path / "course"
    shutil.copytree(course, copy)
    shutil.rmtree(copy / "feedback")
    nbgrader(copy, "generate_feedback", "ps")
    learners = sorted(each.name for each in (course / "autograded").iterdir())
    for learner in learners:
        assert page_of(copy, learner) == page_of(course, learner)
    (copy / "feedback" / "ada" / "ps" / "main.html").write_text("old")
    app = Course(copy).app
    with Gradebook(app.coursedir.db_url):
        said = NbGraderAPI(app.coursedir, parent=app).generate_feedback("ps", "ada")
    assert said["success"], said
    assert page_of(copy, "ada") == page_of(course, "ada")


def test_pages_can_be_released(course, tmp_path):
    """nbgrader's exchange finds them: what lies beside a submission lies beside its page."""
    folder = course / "feedback" / ZOE / "ps"
    assert sorted(each.name for each in folder.iterdir()) == [
        "main.html",
        "submission_secret.txt",
        "timestamp.txt",
    ]
    assert (folder / "main.html").stat().st_mode & 0o777 == 0o644
    exchange = tmp_path / "exchange"
    exchange.mkdir(mode=0o777)
    exchange.chmod(0o777)
    nbgrader(course, "release_feedback", "ps", f"--student={ZOE}", f"--Exchange.root={exchange}")
    (released,) = (exchange / "small" / "feedback").iterdir()
    assert released.read_text("utf-8") == page_of(course, ZOE)


def test_pages_that_are_there_are_kept(course, run):
    """Unless work was graded again, or somebody says --force."""
    path = course / "feedback" / "ada" / "ps" / "main.html"
    before = path.stat().st_mtime_ns
    status, said, _ = run(course, "ps", "--learner", "ada")
    assert (status, path.stat().st_mtime_ns) == (0, before)
    assert "1 unchanged since last time" in said
    notebook = course / "autograded" / "ada" / "ps" / "main.ipynb"
    content = notebook.read_bytes()
    notebook.unlink()
    notebook.write_bytes(content)
    for how in ([], ["--force"]):
        status, said, _ = run(course, "ps", "--learner", "ada", *how)
        assert status == 0
        assert "Feedback for 1 learner is in" in said


def test_nobody_hands_in_a_page(tmp_path, run):
    """What is called as a page is, a file or a folder, is in no page's place."""
    cells = [solution("half", "half = 1"), check("test-half", "assert half == 1")]
    make_course(tmp_path, "ps", {"one": cells, "two": cells})
    for learner in ("ada", "bea"):
        for name in ("one", "two"):
            folder = hand_in(tmp_path, learner, "ps", name, {"half": "half = 1"})
    for name in ("one", "two"):
        (tmp_path / "submitted" / "ada" / "ps" / f"{name}.html").write_text("FORGED")
        (folder / f"{name}.html").mkdir()
        (folder / f"{name}.html" / "x.txt").write_text("FORGED")
    done = grade(tmp_path, "ps")
    assert done.returncode == 0, done.stderr
    assert run(tmp_path, "ps")[0] == 0
    pages = sorted((tmp_path / "feedback").rglob("*.html"))
    assert len(pages) == 4
    assert [each for each in pages if "FORGED" in each.read_text("utf-8")] == []


def test_one_that_fails_does_not_stop_the_others(course, tmp_path, run):
    """A sentence for each, and exit status 1."""
    copy = tmp_path / "course"
    shutil.copytree(course, copy)
    broken = copy / "autograded" / "bea" / "ps" / "main.ipynb"
    broken.unlink()
    broken.write_text("{")
    shutil.copytree(copy / "autograded" / "ada", copy / "autograded" / "ne mo")
    status, said, problems = run(copy, "ps", "--force")
    assert status == 1
    assert "Feedback for 4 learners is in" in said
    first, second = problems.strip().splitlines()
    assert first.startswith("stridekit: bea: its graded notebook is not as it was (JSON")
    assert first.endswith("). Grade it again: stridekit grade ps --learner bea --again.")
    assert second == (
        "stridekit: ne mo: the gradebook does not know this submission. Grade it again: "
        "stridekit grade ps --learner 'ne mo' --again."
    )
    shutil.rmtree(copy / "feedback")
    (copy / "feedback").write_text("a file")
    _, _, problems = run(copy, "ps", "--learner", "ada")
    assert problems == f"stridekit: ada: {copy / 'feedback' / 'ada' / 'ps'}: Not a directory.\n"
    (copy / "feedback").unlink()
    beside = copy / "feedback" / "ada" / "ps" / "notes.txt"
    beside.mkdir(parents=True)
    (copy / "autograded" / "ada" / "ps" / "notes.txt").write_text("a file")
    _, _, problems = run(copy, "ps", "--learner", "ada")
    assert problems == f"stridekit: ada: {beside}: Is a directory.\n"


@pytest.mark.parametrize(
    ("gone", "arguments", "sentence"),
    [
        ("", ["ps9"], "there is no assignment 'ps9': "),
        ("", ["none"], "there is no assignment 'none': there is no notebook in "),
        ("autograded", ["ps"], "nothing of 'ps' has been graded yet"),
        ("", ["ps/"], "there is no assignment 'ps/': that is not the name of a folder"),
        ("gradebook.db", ["ps"], "there is no gradebook at"),
        ("", ["ps", "--learner", "eve"], "eve has no graded ps. There are: ada"),
    ],
)
def test_what_is_missing_is_told_in_a_sentence(course, tmp_path, run, gone, arguments, sentence):
    """And exit status 1."""
    copy = tmp_path / "course"
    shutil.copytree(course, copy)
    (copy / "source" / "none").mkdir()
    if gone:
        (copy / gone).rename(tmp_path / "gone")
    status, _, problems = run(copy, *arguments)
    assert status == 1
    assert problems.startswith(f"stridekit: {sentence}")
    assert len(problems.splitlines()) == 1


def test_grading_view_without_red_frames(course, monkeypatch):
    """Formgrader's exporter takes our style along, made as its server extension makes it."""
    monkeypatch.chdir(course)
    app = FormgradeExtension()
    app.initialize([])
    path = course / "autograded" / "ada" / "ps" / "main.ipynb"
    page, _ = HTMLExporter(config=app.config).from_filename(
        str(path), resources={"base_url": "", "index": 0, "total": 1}
    )
    assert "formgrade.css" in page
    assert "#notebook img { border: 0 }" in page
    # Formulas of learners' are left to it.
    assert re.search(r'<script src="[^"]*/mathjax/[^"]*,Safe"', page)


def test_notebooks_of_stock_nbgrader(tmp_path):
    """Graded in a kernel, with tracebacks that show the lines round the one that fails."""
    root = make_course(tmp_path / "course", "ps", {"main": CELLS})
    hand_in(root, "bea", "ps", "main", {"half": "def half(n):\n    return 2", "word": "word = 'x'"})
    nbgrader(root, "generate_assignment", "ps")
    nbgrader(root, "autograde", "ps")
    done = feedback(root, "ps")
    assert done.returncode == 0, done.stderr
    page = page_of(root, "bea")
    for secret in ("7311", "4711", "3655", "mellon", "HIDDEN"):
        assert secret not in page
    assert "half ◐ partly right A hidden test fails. 2 / 5" in words(page)
    assert "a-word ✗ wrong A hidden test fails. 0 / 2" in words(page)


def test_a_page_that_takes_too_long_is_told(course, tmp_path, run, monkeypatch):
    """It stops nobody else's."""
    copy = tmp_path / "course"
    shutil.copytree(course, copy)
    path = copy / "autograded" / "bea" / "ps" / "main.ipynb"
    work = json.loads(path.read_text("utf-8"))
    html = {"text/html": "<div>" * 200_000}
    shown = {"output_type": "display_data", "data": html, "metadata": {}}
    work["cells"].append({**cell("1"), "outputs": [shown]})
    path.chmod(0o644)
    path.write_text(json.dumps(work), "utf-8")
    monkeypatch.setattr(pages, "SECONDS_MOST", 1.0)
    status, told, problems = run(copy, "ps", "--force")
    assert status == 1
    assert "Feedback for 4 learners" in told
    assert problems == "stridekit: bea: it takes too long to look at.\n"


@pytest.mark.parametrize("part", ["\x1b]", "\x1b[", "\r"])
def test_what_only_a_terminal_reads_is_found_at_once(part):
    """Also where there is much of it, and none of it ends."""
    assert len(safe_html.plain(part * 300_000)) <= 600_000


# Pages of notebooks made by hand.


def made(cells, marks, comments=(), course=(), between=((BEGIN, END), (SCHEME, "END")), **metadata):
    """A page."""
    for name, mark in marks.items():
        mark.name = name
    for name, comment in dict(comments).items():
        comment.name = name
    handed_in = SimpleNamespace(name="ps", timestamp=None, duedate=None, notebooks=["main"])
    row = SimpleNamespace(
        name="main",
        score=0.0,
        max_score=0.0,
        late_submission_penalty=None,
        student=SimpleNamespace(id="ada", first_name="Ada", last_name=None),
        assignment=handed_in,
        grades=[*marks.values()],
        comments=[*dict(comments).values()],
    )
    notebook = {"cells": cells, "metadata": metadata}
    return FeedbackPage(row, notebook, frozenset(course), between).html()


def Mark(score, most, *, needs_human=False):  # noqa: N802 - as a row of the gradebook
    """What nbgrader knows of a cell that it has graded."""
    return SimpleNamespace(
        score=score,
        auto_score=score,
        manual_score=None,
        max_score=most,
        extra_credit=None,
        needs_manual_grade=needs_human,
    )


def failing(name, source, message, traceback=(), ename="AssertionError"):
    """A test cell with an error."""
    made = check(name, source, 2)
    made["outputs"] = [
        {"output_type": "error", "ename": ename, "evalue": message, "traceback": [*traceback]}
    ]
    return made


def test_a_counterexample_is_taken_apart():
    """Rule, hint, how to try it and how often; without the seed."""
    said = (
        "f(2) returned 3; expected 4.\n  rule: double it.\n  hint: this is one more.\n"
        "  try it: f(2)\n  (wrong on 3 of 4 cases; seed 20261120)\n\n"
        "what it printed on this case:\nx<y"
    )
    cells = [failing("test-f-visible", "check.f(f)", said, ename="CheckFailed")]
    page = made(cells, {"test-f-visible": Mark(0, 2)})
    assert "Rule Double it. Hint This is one more. Try it f(2)" in re.sub(r" +", " ", words(page))
    assert "Wrong on 3 of 4 cases." in page
    assert "x&lt;y" in page
    assert "seed" not in page


def test_a_call_is_told_with_its_own_seed():
    """It is an argument of a learner's function, and not that of the check."""
    said = "f(2, seed=3) returned 3; expected 4.\n  (wrong on 3 of 4 cases; seed 20261120)"
    cells = [failing("test-f-visible", "check.f(f)", said, ename="CheckFailed")]
    page = made(cells, {"test-f-visible": Mark(0, 2)})
    assert "f(2, seed=3) returned 3; expected 4." in page
    assert "20261120" not in page


@pytest.mark.parametrize("said", [{}, {"key": "KEY"}])
def test_who_graded_it_decides_what_is_told(said):
    """A kernel may have said anything; our own grader lets nothing out that is hidden."""
    test = failing("t", f"assert x\n{BEGIN}\nassert y == 7311\n{END}", "too short")
    page = made([test], {"t": Mark(0, 2)}, stridekit=said)
    told = "AssertionError: too short" if said else "A hidden test fails."
    assert f"t ✗ wrong {told}" in words(page)
    assert "7311" not in page


@pytest.mark.parametrize(
    "said", [3, None, [1], {"notes": 3}, {"notes": None}, {"reasons": {"a": 1}}, {"key": [1]}]
)
def test_what_was_noted_and_somebody_has_edited(said):
    """It is not told, takes the page from nobody, and lets nothing out that is hidden."""
    test = failing("t", f"assert x\n{BEGIN}\nassert y == 7311\n{END}", "7311 is too short")
    page = made([test], {"t": Mark(0, 2)}, stridekit=said)
    assert "t ✗ wrong A hidden test fails." in words(page)
    assert "7311" not in page


def test_hidden_output_is_not_shown():
    """What is printed while a hidden test runs may be what it asks."""
    test = check("t", f"{BEGIN}\nassert f(7311)\n{END}", 2)
    test["outputs"] = [{"output_type": "stream", "name": "stderr", "text": "asked for 7311"}]
    assert "7311" not in made([test], {"t": Mark(0, 2)})


def test_a_marker_that_never_ends_hides_the_rest():
    """A learner who writes one into a cell of his own has a page all the same."""
    theirs = cell(f"x = 1\n{BEGIN}\ny = 2", grade_id="f", solution=True)
    test = failing("t", f"assert a\n{BEGIN}\nassert 7311", "no", ["in line 1 of this cell"])
    page = made([theirs, test], {"t": Mark(0, 2)})
    assert "y" in words(page)
    assert "7311" not in page


def test_a_doubtful_score_is_no_plain_number():
    """A machine gave points, and a human must look at them."""
    page = made([check("t", "assert x", 2)], {"t": Mark(0, 2, needs_human=True)})
    assert "t ? needs a human The points are not decided yet. ? / 2" in words(page)


def test_reasons_go_to_their_function():
    """And those of the whole notebook to the top, while a human is needed."""
    marks = {"test-f-visible": Mark(0, 2), "t": Mark(0, 2, needs_human=True)}
    stopped = "test-f-visible: its cell was stopped, for memory"
    reasons = ["the partial credit of t is nan", stopped]
    said = {"status": "needs a human", "reasons": reasons, "key": "KEY", "notes": ["t was moved"]}
    cells = [failing("test-f-visible", "f()", "gone"), check("t", "assert x", 2)]
    page = words(made(cells, marks, stridekit=said))
    assert "f ✗ wrong Its cell was stopped, for memory. 0 / 2" in page
    assert "Somebody will look at it. The partial credit of t is nan." in page
    assert "t was moved" in page
    assert "KEY" not in page


def test_a_cell_that_did_not_run_is_the_reason():
    """And not that its function is missing, which is what came of it."""
    broken = solution("f", "def f(n)\n    return n")
    evalue = "expected ':' (<ipython-input-9-0123abcd>, line 1)"
    broken["outputs"] = failing("f", "", evalue, ename="SyntaxError")["outputs"]
    test = failing("test-f-visible", "f(1)", "name 'f' is not defined", ename="NameError")
    page = words(made([broken, test], {"test-f-visible": Mark(0, 2)}))
    assert "f ✗ wrong Its cell did not run: SyntaxError: expected ':' 0 / 2" in page
    # A cell may fail behind its function, and the function be wrong for another reason.
    test = failing("test-f-visible", "f(1)", "f(1) is 2")
    page = words(made([broken, test], {"test-f-visible": Mark(0, 2)}))
    assert "f ✗ wrong AssertionError: f(1) is 2 0 / 2" in page


def test_a_cell_that_is_gone_keeps_its_row():
    """The gradebook knows it."""
    assert "t ✗ wrong Its cell is not in the notebook. 0 / 2" in words(made([], {"t": Mark(0, 2)}))


def test_cells_that_are_gone_stand_in_their_order():
    """A page is the same however often it is made."""
    names = [f"part-{number}" for number in range(20)]
    page = made([], {name: Mark(0, 2) for name in names})
    assert re.findall(r"part-<wbr>(\d+)</code></a>", page) == [each[5:] for each in names]


@pytest.mark.parametrize("order", [("word", "a-word"), ("a-word", "word")])
def test_a_comment_on_an_answer_is_shown_whatever_its_test_is_called(order):
    """And where no test comes behind it."""
    cells = {
        "word": solution("word", "word = 'friend'"),
        "a-word": check("a-word", "assert word", 2),
    }
    said = SimpleNamespace(comment="Well **chosen**.", manual_comment="Well **chosen**.")
    page = made([cells[name] for name in order], {"a-word": Mark(2, 2)}, {"word": said})
    assert "Comment from your instructor Well chosen ." in words(page)


@pytest.mark.parametrize("lines", [False, True])
def test_on_how_many_cases_it_is_right(lines):
    """A notebook may keep a text as its lines, and what is printed before says nothing of it."""
    test = check("test-f-visible", "check.f(f)", 2)
    text = "right on all 1,234 cases.\n"
    told = {"output_type": "stream", "name": "stdout"}
    test["outputs"] = [{**told, "text": "mine"}, {**told, "text": [text] if lines else text}]
    page = words(made([test], {"test-f-visible": Mark(2, 2)}))
    assert "Your function is right on all 1,234 cases. Back to the overview" in page


@pytest.mark.parametrize("begins", [SCHEME, "For graders:"])
def test_a_mark_scheme_is_for_those_who_grade(tmp_path, begins):
    """It stands in the text of a task, between words that a course may choose."""
    config = f"{CONFIG}c.ClearMarkScheme.begin_mark_scheme_delimeter = {begins!r}\n"
    plot = task("plot")
    plot["source"] = plot["source"].replace(SCHEME, begins)
    page = made(
        [plot],
        {"plot": Mark(1, 2)},
        {"plot": SimpleNamespace(comment="Red.", manual_comment="Red.")},
        between=Course(make_course(tmp_path, "ps", {}, config)).hidden_between,
    )
    assert "Do this." in page
    assert "Red." in page
    assert "blue" not in page


def test_a_page_is_never_too_large():
    """What is left out is told, and where to find it; the failure itself stays."""
    noise = {"output_type": "display_data", "data": {"image/png": "A" * 90_000}}
    cells = []
    for number in range(6):
        mine = cell(f"# {number}\n" + "x = [1, 2]\n" * 3_000, grade_id=f"s{number}", solution=True)
        mine["outputs"] = [noise]
        cells += [mine, failing(f"t{number}", f"assert {number}", f"number {number}")]
    cells += [cell(f"print({number}, 'and so on')" * 9) for number in range(1_500)]
    page = made(cells, {f"t{number}": Mark(0, 2) for number in range(6)})
    assert len(page.encode()) <= BYTES_MOST
    assert "Something is left out here" in page
    assert "<code>main.ipynb</code>" in page
    assert all(f"AssertionError: number {number}" in page for number in range(6))
    assert "[cut: this cell has 33,004 characters]" in page


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("a $x_1 < y_2$ b", "<code>$x_1 &lt; y_2$</code>"),
        ("$$\n\\frac{a}{b}\n$$", "<pre><code>\\frac{a}{b}</code></pre>"),
        ("# Loud", "<h3>Loud</h3>"),
        ("it costs $5 or $6", "it costs $5 or $6"),
    ],
)
def test_text_without_a_network(source, shown):
    """Formulas are read as they were written; headings stand below those of the page."""
    assert shown in safe_html.markdown(source)


@pytest.mark.parametrize(
    "spelt",
    [
        *("javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "vbscript:x"),
        *("java&#115;cript:alert(1)", "&#x6a;avascript:alert(1)", "&#0000106avascript:alert(1)"),
        *("javascript&colon;alert(1)", "javascript&amp;colon;alert(1)", "java&#1;script:alert(1)"),
        *("javascript\\:alert(1)", "&Tab;javascript:alert(1)", "data&colon;text/html,x"),
    ],
)
@pytest.mark.parametrize("link", ["[x]({})", "[x][r]\n\n[r]: {}", "[x]\n\n[x]:\n  {} 'a title'"])
def test_no_link_of_a_note_runs(spelt, link):
    """However it is spelt, and whoever reads it: Formgrader shows notes by nbconvert."""
    note = link.format(spelt)
    for shown in (markdown2html(safe_html.clean_markdown(note)), safe_html.markdown(note)):
        assert {*re.findall('href="([^"]*)"', shown)} <= {"#harmful-link"}


def test_links_that_lead_somewhere_stay():
    """To a page, to a file, to an address."""
    kept = "[x](https://example.org/a?b) [x](notes.md) [x](mailto:a@b) [r]\n\n[r]: https://b.c"
    assert safe_html.clean_markdown(kept) == kept
    assert safe_html.markdown(kept).count("href") == 3


PNG = {"image/png": "iVBORw0KGgo="}


@pytest.mark.parametrize(
    ("name", "spelt", "is_shown"),
    [
        ("a.png", "a.png", True),
        ("my photo.jpg", "my%20photo.jpg", True),
        ("photo (1).jpg", "photo%20(1).jpg", True),
        ("Ü's 100%.png", "%C3%9C's%20100%25.png", True),
        ("Ü.png", "Ü.png", True),
        ("other.png", "gone.png", False),
        ("a%Ü.png", "a%Ü.png", False),
        ("a&amp;b.png", "a&amp;b.png", False),
        (r"a\_b.png", r"a\_b.png", False),
        ("", "", True),
    ],
)
def test_a_picture_that_comes_along_is_shown_and_one_that_is_gone_stops_nobody(
    name, spelt, is_shown
):
    """Notebooks may spell its name as links do; nbconvert gives up where it finds none."""
    note = {**cell(f"See ![x](attachment:{spelt}).", "markdown"), "attachments": {name: PNG}}
    for is_course in (False, True):
        (clean,) = safe_html.all_cleaned([note], lambda _, is_course=is_course: is_course)
        notebook = from_dict({"cells": [clean], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
        shown, _ = HTMLExporter().from_notebook_node(notebook)
        assert ("data:image/png;base64,iVBORw0KGgo=" in shown) == is_shown
    if is_shown:
        assert "data:image/png" in safe_html.markdown(note["source"], note["attachments"])


def test_a_text_of_the_course_keeps_its_picture(tmp_path):
    """nbconvert, and with it Formgrader, would show none of the graded notebooks."""
    text = read_only("map", "See ![x](attachment:a.png).", "markdown")
    picture = {**text, "attachments": {"a.png": PNG}}
    root = make_course(tmp_path, "ps", {"main": [picture, *CELLS[1:4]]})
    hand_in(root, "ada", "ps", "main", {})
    done = grade(root, "ps")
    assert done.returncode == 0, done.stderr
    graded = root / "autograded" / "ada" / "ps" / "main.ipynb"
    shown, _ = HTMLExporter().from_filename(str(graded))
    assert "data:image/png;base64,iVBORw0KGgo=" in shown


def test_names_of_pictures_may_begin_alike():
    """The shorter one is not part of the longer one."""
    other = {"image/png": "QUJD"}
    shown = safe_html.markdown("![x](attachment:ab)", {"a": PNG, "ab": other})
    assert "base64,QUJD" in shown


def test_a_large_picture_in_many_places_is_not_copied_into_each():
    """It would take all the memory of whoever makes the page, or opens the notebook."""
    text, large = "![x](attachment:a) " * 600, {"a": {"image/png": "A" * 3_000_000}}
    assert len(safe_html.markdown(text, large)) < 100_000
    note = {**cell(text, "markdown"), "attachments": large}
    (clean,) = safe_html.all_cleaned([note], lambda _: False)
    assert clean["attachments"] == {}
    once = {**note, "source": "![x](attachment:a)"}
    assert safe_html.all_cleaned([once], lambda _: False) == [once]


@pytest.mark.parametrize("text", ["x -> y", "x > <b>", "src=", " alt=", "<img src="])
def test_words_of_a_picture_may_look_like_markup(text):
    """It is shown all the same, with them; without a place it is none."""
    words = html.escape(text)
    shown = output({"text/html": f'<img alt="{words}" title="{words}" src="data:image/png,">'})
    assert shown.count("<img") == 1
    assert html.unescape(re.search('alt="([^"]*)"', shown)[1]) == text
    assert "not shown" in output({"text/html": f'<img alt="{words}" title="{words}">'})
    assert 'alt="a picture"' in output(
        {"text/html": f'<img title="{words}" src="data:image/png,">'}
    )


def output(data):
    """How a page shows it."""
    return safe_html.output({"output_type": "display_data", "data": data})


# In a browser.


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_for_everybody(course, browser, scheme):
    """axe-core has nothing to say; nothing runs, or is asked from elsewhere; a phone will do."""
    context = browser.new_context(viewport={"width": 360, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    asked, alarms = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: (alarms.append(dialog.message), dialog.dismiss()))
    for learner in ("ada", ZOE, ROGUE, "finn"):
        path = course / "feedback" / learner / "ps" / "main.html"
        page.goto(path.as_uri())
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert all(each.startswith(("file:", "data:")) for each in asked), asked
    assert alarms == []
    context.close()


def test_formgrader_asks_nobody_elsewhere(course, browser, monkeypatch, tmp_path):
    """Its view of a notebook, with all that a learner has put there."""
    monkeypatch.chdir(course)
    app = FormgradeExtension()
    app.initialize([])
    path = course / "autograded" / ROGUE / "ps" / "main.ipynb"
    resources = {"base_url": "", "index": 0, "total": 1}
    shown, _ = HTMLExporter(config=app.config).from_filename(str(path), resources=resources)
    (tmp_path / "view.html").write_text(shown, "utf-8")
    page = browser.new_page()
    asked, alarms = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: (alarms.append(dialog.message), dialog.dismiss()))
    page.goto((tmp_path / "view.html").as_uri(), wait_until="domcontentloaded")
    assert "again" in shown
    assert [each for each in asked if "example.org" in each] == []
    assert alarms == []
    page.close()


def test_every_row_leads_to_its_place(course, browser):
    """And hints have their triangle."""
    page = browser.new_page()
    page.goto((course / "feedback" / "ada" / "ps" / "main.html").as_uri())
    links = page.locator(".overview a")
    assert links.count() == 4
    for number in range(4):
        links.nth(number).click()
        target = page.evaluate("document.querySelector(':target h2').textContent")
        assert target == links.nth(number).text_content()
    shown = page.evaluate("getComputedStyle(document.querySelector('summary')).display")
    assert shown == "list-item"
    page.close()
