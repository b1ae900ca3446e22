"""What a check has just found right, the next check of the same need not ask again."""

import json

from hypothesis import given
from hypothesis import strategies as st

from stridekit_course.checks.callee import BatchOutcomes, Case, Outcome
from stridekit_grading.grade import Grader
from stridekit_grading.sandbox.known_outcomes import Answered, keep_rest, known_rest, rest_of
from tests.grading.small_courses import BEGIN, END, check, hand_in, make_course, solution

batches = st.lists(st.integers(0, 9).map(lambda n: Case((n,))), min_size=1, max_size=12)


def run(cases, endless=None):
    """Of a function that gives the square, and never comes back from one argument."""
    outcomes = []
    for case in cases:
        (n,) = case.arguments
        if n == endless:
            outcomes.append(Outcome("stopped", raised="call"))
            break
        outcomes.append(Outcome("value", n * n))
    return BatchOutcomes(tuple(outcomes))


@given(batches, batches, st.none() | st.integers(0, 12))
def test_what_is_joined_is_what_the_whole_batch_would_have_come_to(before, batch, endless):
    before = [case for case in before if case.arguments[0] != endless]
    rest = rest_of(before, batch)
    assert rest.joined(run(before), run(rest.cases, endless)) == run(batch, endless)
    # What it asks twice, it asks twice on purpose: the first is spared, and no other.
    assert len(batch) - len(rest.cases) == len({*before} & {*batch})


@given(batches, batches, st.integers(0, 12))
def test_a_rest_that_ends_early_ends_the_batch(before, batch, answered):
    rest = rest_of(before, batch)
    whole = rest.joined(run(before), BatchOutcomes(run(rest.cases).outcomes[:answered]))
    assert whole.outcomes == run(batch).outcomes[: len(whole.outcomes)]
    assert (len(whole.outcomes) == len(batch)) == (answered >= len(rest.cases))


def test_whoever_printed_has_printed():
    rest = rest_of([Case((1,))], [Case((1,)), Case((2,))])
    quiet, loud = run([Case((1,))]), run(rest.cases)._replace(talks=True)
    assert not rest.joined(quiet, run(rest.cases)).talks
    assert rest.joined(quiet, loud).talks
    assert rest.joined(quiet._replace(talks=True), run(rest.cases)).talks


def test_only_of_these_very_batches_something_is_known():
    before, batch = (Case((1,)), Case((2,))), (Case((2,)), Case((3,)))
    keep_rest(before, batch, rest_of(before, batch))
    assert known_rest(before, batch[:1] + batch[1:]) is None
    answered = Answered()
    assert answered.before(0, "plain", batch) is None
    answered.keep(0, "plain", before, run(before))
    assert answered.before(1, "plain", batch) is answered.before(0, "torch", batch) is None
    assert answered.before(0, "plain", before) is None
    assert answered.before(0, "plain", batch) == (run(before), rest_of(before, batch))
    answered.forget()
    assert answered.before(0, "plain", batch) is None


COUNTING = "called = []\ndef c_strides(size):\n    called.append(size)\n"
RIGHT = """\
    strides, step = [], 1
    for n in reversed(size):
        strides.insert(0, step)
        step *= max(n, 1)
    return tuple(strides)"""
VISIBLE = "check.c_strides(c_strides)"
HIDDEN = f"{BEGIN}\ncheck.c_strides(c_strides, hidden=True, seed=7)\n{END}"
CELLS = [
    solution("imports", "from stridekit_course import check"),
    solution("c_strides", COUNTING + RIGHT),
    check("visible", VISIBLE, 1),
    solution("between", "# Nothing."),
    check("hidden", HIDDEN, 2),
    solution("after", "print(len(called), len({*called}))"),
]


def graded(tmp_path, answers, cells=CELLS):
    """The points, how often the function was called, with how many sizes, and what was said."""
    root = make_course(tmp_path / f"course{len(cells)}", "hw", {"one": cells})
    for name, answer in answers.items():
        hand_in(root, name, "hw", "one", {"after": "print(len(called), len({*called}))", **answer})
    # The same hidden cases in each course.
    (root / ".grading").mkdir(mode=0o700)
    (root / ".grading" / "secret").write_text("ab" * 32, "ascii")
    grader = Grader(root, "hw", jobs=1)
    try:
        scores = {each.learner: each.score for each in grader.grade(grader.learners())}
        inside = grader.facts.inside
    finally:
        grader.close()
    assert min(inside.values()) > 0
    parts = ["cells", "checks", "folders, Landlock and limits", "forks and namespaces"]
    assert sorted(inside) == parts
    told = {}
    for name, score in scores.items():
        path = root / "autograded" / name / "hw" / "one.ipynb"
        ran = json.loads(path.read_text("utf-8"))["cells"]
        after = next(cell for cell in ran if "print(len(called)" in "".join(cell["source"]))
        counts = map(int, "".join(after["outputs"][0]["text"]).split())
        outputs = (out for cell in ran for out in cell.get("outputs", []) if cell is not after)
        said = "".join(line for out in outputs for line in out.get("text", out.get("traceback")))
        told[name] = score, *counts, said
    return told


def test_a_hidden_check_asks_for_the_rest_of_what_was_right_and_wrong_work_for_all(tmp_path):
    """Unless a cell stands between them, which may have changed everything."""
    right, wrong = COUNTING + RIGHT, COUNTING + RIGHT.replace("max(n, 1)", "n")
    # Right at first, and never again.
    later = COUNTING + "    if len(called) > 700:\n        return ()\n" + RIGHT
    answers = {
        name: {
            "imports": "from stridekit_course import check",
            "c_strides": text,
            "between": "# Nothing.",
        }
        for name, text in (("ada", right), ("bert", wrong), ("cleo", later))
    }
    apart = graded(tmp_path, answers)
    joined = graded(tmp_path, answers, [cell for cell in CELLS if cell["id"] != "between"])
    scores = {name: told[0] for name, told in apart.items()}
    assert scores == {"ada": 3.0, "bert": 0.0, "cleo": 1.0}
    assert {name: told[0] for name, told in joined.items()} == scores
    # With how many sizes, and word for word what was said.
    assert joined["ada"][2:] == apart["ada"][2:]
    assert joined["bert"][2:] == apart["bert"][2:]
    assert "right on all" in joined["ada"][3]
    assert "of the hidden test" in joined["bert"][3]
    assert joined["ada"][1] < apart["ada"][1] - 100
    assert joined["bert"][1] == apart["bert"][1]
