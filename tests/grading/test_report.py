"""`stridekit report`: what a class misunderstood, in the terminal, as a page, and as CSV."""

import csv
import errno
import hashlib
import json
import re
import shutil
import sqlite3
import subprocess
from datetime import datetime
from importlib.resources import files
from io import StringIO

import pytest

from stridekit import arange, draw
from stridekit.errors import CommandError
from stridekit_course.exercises import ASSIGNMENTS
from stridekit_grading.class_results import ClassResults, GradedSubmission, anonymised
from stridekit_grading.report import as_csv, page, standings, understanding
from stridekit_grading.results import Store
from stridekit_grading.sandbox.outputs import Judgement
from stridekit_grading.submissions import NotebookResult
from tests import warm
from tests.accessibility import violations
from tests.browser.test_diagrams import colour_in
from tests.course.notebooks.notebooks import ROOT
from tests.grading.class_of_demo import demo
from tests.grading.small_courses import (
    check,
    grade,
    hand_in,
    make_course,
    manual,
    nbgrader,
    solution,
)

# A long name, with words that a page could take for its own.
STRANGE = 'zoë & <b>"co" ' + " ".join(["and all the others"] * 7)


def report(root, *arguments):
    """`stridekit report` in a course."""
    command = warm.python(warm.GRADING, "-m", "stridekit", "report", *arguments)
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The class of the demo, one more with the usual mistakes, and one that cannot be read."""
    root = tmp_path_factory.mktemp("report") / "course"
    demo.make_course(root, "ps3")
    demo.hand_in(root, "ps3", "contiguity", [*demo.CLASS])
    shutil.copytree(root / "submitted" / "dora", root / "submitted" / STRANGE)
    broken = root / "submitted" / "ines" / "ps3"
    broken.mkdir(parents=True)
    (broken / "contiguity.ipynb").write_text("{")
    (root / "submitted" / "chen" / "ps3" / "timestamp.txt").write_text("2026-11-03 01:00:00 UTC")
    done = grade(root, "ps3")
    assert done.returncode == 0, done.stdout + done.stderr
    nbgrader(root, "db", "assignment", "add", "ps3", "--duedate=2026-11-02 00:00:00 UTC")
    nbgrader(root, "db", "student", "add", "nobody")
    return root, done


def test_the_most_frequent_mistake_comes_first_with_its_hint_and_who_made_it(course):
    """By the mistakes that the checks know."""
    done = report(course[0], "ps3")
    assert done.returncode == 0, done.stderr
    text = " ".join(done.stdout.split())
    part = text.partition("What was not understood")[2].partition("contiguity_trace:")[0]
    assert "isContiguous: 3 solved, 3 not solved, 1 not written, 1 undecided" in part
    assert part.index("2 x: this is what you get if descending strides") < part.index("1 x: ")
    assert f"(dora, {STRANGE})" in part
    assert (
        "such as: isContiguous(tensor), with tensor of size (2,), stride (2,), returned True"
        in part
    )
    assert "ines: " in done.stdout
    assert "1 submission needs a human" in done.stdout


def test_grading_ends_with_the_same(course):
    """And with the page."""
    assert "2 x: this is what you get if descending strides" in " ".join(course[1].stdout.split())
    assert re.search(r"^As a page: .*/reports/ps3\.html$", course[1].stdout, re.MULTILINE)


@pytest.fixture(scope="module")
def shown(course, browser):
    """The page in a browser that is told of everything it asks for."""
    assert report(course[0], "ps3").returncode == 0
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    asked, said = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto((course[0] / "reports" / "ps3.html").as_uri())
    yield page, asked, said
    page.close()


def test_the_page_loads_nothing_and_says_nothing(shown):
    """But its own pictures."""
    _, asked, said = shown
    assert [each for each in asked if not each.startswith(("file:", "data:"))] == []
    assert said == []


def test_the_page_shows_the_class(shown):
    """Everybody by his own name, a sign in each cell, a heading for each exercise."""
    page = shown[0]
    names = page.locator("table.class tbody th").all_inner_texts()
    assert sorted(names) == sorted([*demo.CLASS, STRANGE, "ines"])
    assert names[:2] == ["ada", "chen"]
    signs = {each[:1] for each in page.locator("table.class tbody td").all_inner_texts()}
    assert {"✓", "✗", "–", "?"} <= signs
    assert page.locator("h2 code").count() == len(ASSIGNMENTS["ps3"])
    assert "ines" in page.locator("h2:has-text('Needs a human') + table").inner_text()
    assert "1 day 1 hour late" in page.locator("h2:has-text('Late') + table").inner_text()
    assert page.get_by_text("Nothing handed in: nobody").count() == 1


def test_each_mistake_has_its_counterexample_drawn(shown):
    """With alt text; folded ones open by keyboard."""
    page = shown[0]
    first = page.locator("h2#exercise-isContiguous ~ details").first
    assert "2 learners." in first.locator("summary").first.inner_text()
    assert "stride (2,)" in first.locator("img").get_attribute("alt")
    second = page.locator("h2#exercise-isContiguous ~ details").nth(1)
    assert second.get_attribute("open") is None
    second.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert second.get_attribute("open") is not None


def test_a_call_keeps_the_name_of_its_function(shown):
    """Also where a line begins with it."""
    page = shown[0]
    said = page.locator("details > summary > code").all_inner_texts()
    called = {each.partition("(")[0] for each in said if "(" in each.split()[0]}
    assert called
    assert called <= {*page.locator("h2 code").all_inner_texts()}


@pytest.mark.parametrize(("width", "scheme"), [(420, "dark"), (1000, "light")])
def test_the_page_fits(course, browser, width, scheme):
    """A phone too; what is wider scrolls by itself. axe-core has nothing to say."""
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.goto((course[0] / "reports" / "ps3.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("table.class th").first.bounding_box()["width"] < width / 2
    assert violations(page) == []
    page.close()


def test_without_names(course):
    """Neither in the terminal nor on the page, nor in the CSV."""
    root = course[0]
    done = report(root, "ps3", "--anonymous", "--csv", "points.csv")
    page = (root / "reports" / "ps3-anonymous.html").read_text("utf-8")
    for text in (done.stdout, page, (root / "points.csv").read_text("utf-8")):
        # Who handed in nothing has a number too, drawn anew for each course.
        assert re.search(r"\blearner \d", text)
        for name in (*demo.CLASS, "ines", "zoë", "nobody ", "Nothing handed in: nobody."):
            assert not re.search(rf"\b{name}\b", text.replace(str(root), "")), name


def test_the_csv_has_a_row_for_each_learner_and_a_column_for_each_exercise(course):
    """With status, lateness and reasons."""
    root = course[0]
    assert report(root, "ps3", "--csv", "points.csv").returncode == 0
    with (root / "points.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["learner"]: row for row in csv.DictReader(file)}
    assert sorted(rows) == sorted([*demo.CLASS, STRANGE, "ines"])
    assert rows["chen"]["hours_late"] == "25"
    assert rows["ines"]["points"] == ""
    assert "JSON" in rows["ines"]["reasons"]
    assert [rows["fatima"][name] for name in ("isContiguous", "is_dense")] == ["5", "0"]


def test_only_the_instructor_can_read_the_page(course):
    """It holds learners' data."""
    page = course[0] / "reports" / "ps3.html"
    assert page.stat().st_mode & 0o777 == 0o600
    assert "/reports/" in (ROOT / ".gitignore").read_text("utf-8").splitlines()


def test_a_course_of_plain_asserts(tmp_path):
    """What a test says stands for the mistake; of a hidden test the instructor is told more."""
    cells = [
        solution("double", "def double(x):\n    return 2 * x"),
        check("test-double-visible", "assert double(2) == 4, 'twice 2 is 4'", 2),
        check(
            "double-more",
            "### BEGIN HIDDEN TESTS\nassert double(0.5) == 1, 'floats too'\n### END HIDDEN TESTS",
            3,
        ),
    ]
    make_course(tmp_path, "hw", {"one": cells})
    hand_in(tmp_path, "ada", "hw", "one", {"double": "def double(x):\n    return x + x"})
    hand_in(tmp_path, "bert", "hw", "one", {"double": "def double(x):\n    return 3 * x"})
    hand_in(tmp_path, "cleo", "hw", "one", {"double": "def double(x):\n    return int(x) * 2"})
    assert grade(tmp_path, "hw").returncode == 0
    text = report(tmp_path, "hw").stdout
    assert "double: 2 solved, 1 not solved" in text
    assert "1 x: twice 2 is 4 (bert)" in text
    assert "2 x: AssertionError: floats too (bert, cleo)" in text


def refused(done, *fragments):
    """One sentence, and a status that says so."""
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
    for fragment in fragments:
        assert fragment in done.stderr


def test_what_cannot_be_told(course, tmp_path):
    """One sentence each: what, why, what to do."""
    root = course[0]
    refused(report(root, "ps4"), "there is no assignment 'ps4'")
    (root / "source" / "ps4").mkdir()
    refused(report(root, "ps4"), "there is no notebook in ", "There are: ps3.")
    (root / "source" / "ps4" / "one.ipynb").touch()
    refused(report(root, "ps4"), "nobody's ps4 is graded yet", "stridekit grade ps4")
    (root / "source" / "ps4").rename(root / "source" / "home work")
    refused(report(root, "home work"), "stridekit grade 'home work'.")
    shutil.rmtree(root / "source" / "home work")
    refused(report(root, "ps4/"), "there is no assignment 'ps4/': that is not the name of a folder")
    refused(report(tmp_path, "ps3"), "is not a course")
    refused(report(root, "ps3", "--csv", "nowhere/points.csv"), "there is no folder nowhere")
    refused(report(root, "ps3", "--html", "nowhere/page.html"), "there is no folder nowhere")
    for folder in (".", "", "/", "source"):
        refused(report(root, "ps3", "--csv", folder), "is a folder")


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """Two notebooks with a test of the same name, a cell for a human, a test for no points."""
    root = tmp_path_factory.mktemp("odd")
    one = [
        solution("half", "def half(n):\n    return n // 2"),
        check("test-half-visible", "assert half(5) == 2, half(5)", 2),
        check("free", "assert half(5) == 2", 0),
        manual("why", 4),
    ]
    two = [
        solution("half", "def half(n):\n    return n // 2"),
        check(
            "test-half-visible",
            "### BEGIN HIDDEN TESTS\nassert half(7311) == 3655, half(7311)\n### END HIDDEN TESTS",
            5,
        ),
    ]
    make_course(root, "p", {"one": one, "two": two})
    right, wrong = "def half(n):\n    return n // 2", "def half(n):\n    return 77"
    for name, first, second in (
        ("ada", right, right),
        ("bob", wrong, right),
        ("cid", right, wrong),
    ):
        hand_in(root, name, "p", "one", {"half": first})
        hand_in(root, name, "p", "two", {"half": second})
    hand_in(root, "eve", "p", "one", {"half": SURROGATE})
    hand_in(root, "eve", "p", "two", {"half": "def half(n) return 1"})
    done = grade(root, "p")
    assert done.returncode == 0, done.stderr
    return root, done.stdout


# What a terminal would take for orders, and what no file can hold.
SURROGATE = "def half(n):\n    raise ValueError('\\ud800 \\x1b[2Jred \\u202e')"


def test_what_learners_code_says_is_only_text(odd):
    """It orders no terminal about, and takes the report from nobody."""
    text = odd[1] + report(odd[0], "p").stdout + (odd[0] / "reports" / "p.html").read_text("utf-8")
    assert "\\ud800 \\x1b[2Jred \\u202e" in text
    assert not re.search("[\x1b\x07\u202e]", text)
    said = " ".join(odd[1].split())
    assert "the cell of half did not run: SyntaxError: expected ':' " in said


def test_tests_of_one_name_in_two_notebooks_are_two(odd):
    """Each has its own points and its own mistakes."""
    done = report(odd[0], "p", "--csv", "points.csv")
    assert "one/half: 2 solved, 2 not solved" in done.stdout
    assert "two/half: 2 solved, 2 not solved" in done.stdout
    with (odd[0] / "points.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["learner"]: row for row in csv.DictReader(file)}
    assert (rows["bob"]["one/half"], rows["bob"]["two/half"]) == ("0", "5")
    assert (rows["cid"]["one/half"], rows["cid"]["two/half"]) == ("2", "0")
    assert rows["ada"]["most"] == "11"


def test_what_is_not_decided_is_no_0(odd):
    """Neither in the CSV nor on the page; a test for no points may fail all the same."""
    done = report(odd[0], "p", "--csv", "points.csv")
    with (odd[0] / "points.csv").open(encoding="utf-8", newline="") as file:
        assert {row["points"] for row in csv.DictReader(file)} == {""}
    page = (odd[0] / "reports" / "p.html").read_text("utf-8")
    assert "The median" not in page
    assert "free: 2 solved, 2 not solved" in done.stdout


def test_an_anonymous_page_tells_nothing_of_hidden_tests(odd):
    """It is shown to the class."""
    assert "7311" not in odd[1].partition("What was not understood")[0]
    done = report(odd[0], "p", "--anonymous")
    page = (odd[0] / "reports" / "p-anonymous.html").read_text("utf-8")
    assert "7311" not in done.stdout + page
    assert "7311" in report(odd[0], "p").stdout or "AssertionError: 77" in odd[1]


def test_an_anonymous_class_has_no_finding_of_a_hidden_check():
    """Neither its case nor what is expected there."""
    finding = dict.fromkeys(("sentence", "rule", "picture"), "7311") | {"function": "f"}
    finding |= {"hint": "", "counted": "", "kind": "wrong"}
    judged = Judgement("f is wrong", detail="7311", finding=finding)
    class_ = ClassResults("p", [GradedSubmission("ada", tests={"test-f-hidden": judged})])
    (outcome,) = anonymised(class_, b"").outcomes
    assert "7311" not in repr(outcome)
    assert "f is wrong on cases of the hidden test." in repr(outcome)


def test_what_a_human_has_decided_is_decided(odd, tmp_path):
    """Then nobody is told that he needs one."""
    root = tmp_path / "course"
    shutil.copytree(odd[0], root)
    base = sqlite3.connect(root / "gradebook.db")
    base.execute("UPDATE grade SET manual_score = 1, needs_manual_grade = 0")
    base.commit()
    base.close()
    done = report(root, "p", "--csv", "points.csv")
    assert done.returncode == 0, done.stderr
    assert "needs a human" not in done.stdout
    with (root / "points.csv").open(encoding="utf-8", newline="") as file:
        assert {row["points"] for row in csv.DictReader(file)} == {"4"}


@pytest.mark.parametrize(
    "said", [3, None, [1], {"status": ["x"]}, {"reasons": 3}, {"reasons": None}, {"key": [1]}, "["]
)
def test_graded_notebooks_that_somebody_has_edited(odd, tmp_path, said):
    """One of them takes the report from nobody."""
    root = tmp_path / "course"
    shutil.copytree(odd[0], root)
    path = root / "autograded" / "bob" / "p" / "one.ipynb"
    notebook = json.loads(path.read_text("utf-8"))
    notebook["metadata"]["stridekit"] = said
    path.chmod(0o644)
    path.write_text("[" * 100_000 if said == "[" else json.dumps(notebook))
    done = report(root, "p")
    assert done.returncode == 0, done.stderr
    assert "bob" in done.stdout


@pytest.mark.parametrize("damage", [lambda text: text[:-9], lambda text: f"{text} ", lambda _: ""])
def test_results_that_are_damaged(odd, tmp_path, damage):
    """They count as lost, and that is said."""
    root = tmp_path / "course"
    shutil.copytree(odd[0], root)
    for path in (root / ".grading" / "results").iterdir():
        path.write_text(damage(path.read_text("utf-8")))
    done = report(root, "p")
    assert done.returncode == 0, done.stderr
    assert "Of 4 submissions it is not kept what was found." in done.stdout


def test_a_report_makes_no_secret(odd, tmp_path):
    """Hidden tests would have other cases from then on."""
    root = tmp_path / "course"
    shutil.copytree(odd[0], root)
    shutil.rmtree(root / ".grading")
    assert report(root, "p", "--anonymous").returncode == 0
    assert not (root / ".grading").exists()
    (root / ".grading").mkdir()
    (root / ".grading" / "secret").write_text("z" * 64)
    refused(report(root, "p"), "is not a secret of a course")


# Grouping, and pictures, on outcomes that are made up.


@pytest.mark.parametrize(("scheme", "card"), [("light", 255), ("dark", 17)])
def test_a_picture_is_dark_where_its_page_is(browser, scheme, card):
    """On paper it is white. One from an earlier version is light, and as legible."""
    picture = draw(arange(6).view(2, 3))
    findings = [
        {**_finding(f"f({number}) returned 2."), "picture": html}
        for number, html in enumerate((picture.html(), picture._repr_html_()))
    ]
    told = ClassResults(
        "ps1",
        [
            _outcome(name, (0.0, 0.0), tests={"test-f-visible": Judgement(finding=finding)})
            for name, finding in zip("ab", findings, strict=True)
        ],
    )
    window = browser.new_page(color_scheme=scheme)
    window.set_content(page(told, course="c", made=datetime(2026, 11, 22)))
    window.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    new, old = window.locator(".picture img").all()
    assert colour_in(window, new, 8, 40) == [card] * 3
    assert colour_in(window, old, 8, 40) == [255] * 3
    window.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    assert window.evaluate("axe.run().then(told => told.violations)") == []
    window.emulate_media(media="print")
    assert colour_in(window, new, 8, 40) == [255] * 3
    window.close()


def test_a_store_that_can_only_be_read_is_read(tmp_path, monkeypatch):
    """As in a backup; one that others may look into is shut, or refused."""
    secret = Store(tmp_path).secret

    def refuse(*_, **__):
        raise OSError(errno.EROFS, "Read-only file system")

    shut, open_ = tmp_path / "shut", tmp_path / "open"
    shutil.copytree(tmp_path / ".grading", shut / ".grading")
    shutil.copytree(tmp_path / ".grading", open_ / ".grading")
    (open_ / ".grading").chmod(0o755)
    monkeypatch.setattr("pathlib.Path.chmod", refuse)
    assert Store.of(shut).secret == secret
    with pytest.raises(CommandError, match="cannot be written"):
        Store.of(open_)


def test_what_another_version_has_kept_is_not_read(tmp_path):
    """Its results have other parts: they count as not kept, and grading again makes them anew."""
    store = Store(tmp_path)
    tests = {"t": Judgement("wrong", finding={"a": "b"})}
    store.put(NotebookResult(tests=tests, key="key"))
    assert store.get("key").tests["t"].finding == {"a": "b"}
    for change in ({"losses": {}}, {"tests": {"t": {"died": ""}}}):
        made = json.dumps({**json.loads(json.dumps(vars(NotebookResult()))), **change}).encode()
        digest = hashlib.sha256(made).hexdigest().encode()
        (store.folder / "results" / "key").write_bytes(digest + b"\n" + made)
        assert store.get("key") is None


def _outcome(learner, points, **more):
    most = {"test-f-visible": 2.0, "test-f-hidden": 3.0}
    return GradedSubmission(
        learner, "graded", points=dict(zip(most, points, strict=True)), most=most, **more
    )


def _finding(sentence, hint="", kind="a wrong answer", counted="wrong on 3 of 9 cases"):
    return {"function": "f", "kind": kind, "sentence": sentence, "hint": hint, "rule": "a rule",
            "counted": counted, "picture": ""}  # fmt: skip


def test_those_who_fail_alike_stand_together():
    """By a known mistake; else by the same answer in the same case; else by what was done."""
    found = {
        "a": _finding("f(1) returned 2.", "a hint."),
        "b": _finding("f(2) returned 4.", "a hint."),
        "c": _finding("f(1) returned 7."),
        "d": _finding("f(1) returned 7."),
        "e": _finding("f(1) returned 7."),
        "g": _finding("f calls torch.sum in line 3.", kind="a call that is forbidden: torch.sum",
                      counted=""),
        "h": _finding("f calls torch.sum in line 9.", kind="a call that is forbidden: torch.sum",
                      counted=""),
        "i": _finding("", kind="not written yet", counted=""),
    }  # fmt: skip
    class_ = [
        _outcome(name, (0.0, 0.0), tests={"test-f-visible": Judgement(finding=finding)})
        for name, finding in found.items()
    ]
    class_.append(_outcome("right", (2.0, 3.0)))
    class_.append(
        _outcome("half", (2.0, 0.0), tests={"test-f-hidden": Judgement(finding=found["a"])})
    )
    class_.append(
        _outcome("slow", (0.0, 0.0), tests={"test-f-visible": Judgement(loss="it took too long")})
    )
    class_.append(_outcome("odd", (None, 3.0)))
    (f,) = standings(class_)
    told = [(each.says, each.learners) for each in f.mistakes]
    assert told == [
        ("a hint.", ["a", "b", "half"]),
        ("f(1) returned 7.", ["c", "d", "e"]),
        ("a call that is forbidden: torch.sum", ["g", "h"]),
        ("it took too long", ["slow"]),
    ]
    assert f.counts == {"solved": 1, "partly": 1, "not solved": 8, "not written": 1, "undecided": 1}
    assert f.distribution == {0.0: 9, 2.0: 1, 5.0: 1}
    assert "3 x: a hint. (a, b, half)" in understanding(class_)


def test_a_human_who_gives_points_is_heard():
    """Then a failing test counts as solved; and a passing one may be worth less."""
    found = {"test-f-visible": Judgement(finding=_finding("f(1) returned 7."))}
    (f,) = standings(
        [_outcome("a", (2.0, 3.0), tests=found), _outcome("b", (2.0, 1.0))],
    )
    assert f.of == {"a": "solved", "b": "partly"}
    assert f.mistakes == []


def test_numbers_for_names_tell_nothing_of_the_names():
    """Another course has another order; parts of words stay."""
    class_ = ClassResults(
        "ps1",
        [_outcome(name, (0.0, 0.0), reasons=[f"{name} and others: an-answer"]) for name in "abcd"],
        waiting=["an"],
    )
    orders = set()
    for secret in range(20):
        made = anonymised(class_, bytes([secret]))
        by_reason = [each.reasons[0] for each in made.outcomes]
        assert all(re.fullmatch(r"learner \d and others: learner \d-answer", x) for x in by_reason)
        orders.add(made.waiting[0])
    assert len(orders) > 2


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@a", "\t=1+1", "\r=1+1"])
def test_no_name_is_a_formula(name):
    """Some programs read one behind a tab, too."""
    _, row = csv.reader(StringIO(as_csv([GradedSubmission(name)]), newline=""))
    assert row[0] == f"'{name}"
