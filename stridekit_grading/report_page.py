"""The report on a class as one page of HTML: it loads nothing, runs nothing, and prints well."""

import re
from collections.abc import Sequence
from datetime import datetime
from html import escape
from statistics import median

from stridekit_grading.class_results import ClassResults, GradedSubmission
from stridekit_grading.report import (
    STANDINGS,
    SharedMistake,
    Standing,
    Standings,
    lateness,
    number,
    standings,
)
from stridekit_grading.safe_html import is_diagram

# What stands for a standing, so that its colour is not needed; and its class.
_SIGNS: dict[Standing, tuple[str, str]] = {
    "solved": ("✓", "solved"),
    "partly": ("◐", "partly"),
    "not solved": ("✗", "wrong"),
    "not written": ("–", "empty"),
    "undecided": ("?", "human"),
}
# So many learners who took longest are named.
_SLOWEST = 5
_STYLE = """
:root { color-scheme: light dark; --ink: #1d2430; --soft: #566072; --line: #d5dae2;
  --paper: #fff; --raised: #f5f6f9; --solved: #cfe8d5; --partly: #f7e6b5; --wrong: #f6cfca;
  --empty: #e3e6ec; --human: #d9d3f2; --link: #1a56b0;
  --card: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #a9b2c1; --line: #3a4250;
  --paper: #14181f; --raised: #1d232d; --solved: #1f4a2f; --partly: #574611; --wrong: #5e2621;
  --empty: #333b48; --human: #3d3566; --link: #8ab4f8;
  --card: #111; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 62rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; padding-top: .75rem;
  border-top: 1px solid var(--line); }
p, ul { margin: .5rem 0; } a { color: var(--link); } .soft { color: var(--soft); }
code { font: .92em ui-monospace, monospace; overflow-wrap: anywhere; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: .5rem; }
th, td { padding: .2rem .55rem; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line); }
.scroll { overflow-x: auto; } .scroll:focus-visible { outline: 2px solid var(--link); }
.class td { text-align: center; border: 2px solid var(--paper); white-space: nowrap; }
.class th { white-space: nowrap; font-weight: 500; }
.class thead th { vertical-align: bottom; white-space: normal; text-align: center; }
.class th:first-child { position: sticky; left: 0; background: var(--paper); text-align: left; }
.class td.total { background: none; }
.solved { background: var(--solved); } .partly { background: var(--partly); }
.wrong { background: var(--wrong); } .empty { background: var(--empty); }
.human { background: var(--human); }
.bar { display: flex; height: 1.6rem; margin: .5rem 0; border-radius: 4px; overflow: hidden; }
.bar span { text-align: center; overflow: hidden; border-right: 2px solid var(--paper); }
.key { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; list-style: none; }
.key b { display: inline-block; min-width: 1.7rem; text-align: center; border-radius: 4px;
  font-weight: 500; margin-right: .4rem; }
details { margin: .6rem 0; padding: .5rem .9rem; background: var(--raised);
  border: 1px solid var(--line); border-radius: 6px; break-inside: avoid; }
summary { cursor: pointer; } summary b { font-variant-numeric: tabular-nums; }
details details { padding: .25rem .6rem; background: none; }
details pre { overflow-x: auto; font-size: .8rem; }
.picture { background: var(--card); padding: .5rem; border-radius: 4px; }
img { max-width: 100%; height: auto; }
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; font-size: 11px; }
  .solved, .partly, .wrong, .empty, .human { print-color-adjust: exact; } }
"""


def page(found: ClassResults, *, course: str, made: datetime) -> str:
    """The report."""
    shown = _Shown(found)
    exercises = standings(found.outcomes)
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            # Nothing of a learner's could run here; should anything, the browser stops it.
            '<meta http-equiv="Content-Security-Policy" '
            "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">",
            f"<title>{escape(found.assignment)}: what the class understood</title>",
            f"<style>{_STYLE}</style></head><body><main>",
            shown.head(course, made),
            shown.overview(exercises),
            *(shown.exercise(each) for each in exercises),
            shown.humans(),
            shown.late(),
            shown.missing(),
            shown.time(),
            "</main></body></html>",
            "",
        ]
    )


class _Shown:
    """The parts of a page."""

    def __init__(self, found: ClassResults) -> None:
        self._found = found

    def head(self, course: str, made: datetime) -> str:
        """Which class, and how many."""
        found = self._found
        counts = [
            f"{sum(each.status == status for each in found.outcomes)} {status}"
            for status in ("graded", "partly graded", "needs a human")
            if any(each.status == status for each in found.outcomes)
        ]
        counts += [f"{len(found.waiting)} not graded yet"] if found.waiting else []
        counts += [f"{len(found.absent)} handed in nothing"] if found.absent else []
        totals = [each.score for each in found.outcomes if each.score is not None]
        most = max((sum(each.most.values()) for each in found.outcomes), default=0)
        middle = (
            f" The median is {number(median(totals))} of {number(most)} points." if totals else ""
        )
        return (
            f"<h1>{escape(found.assignment)}: what the class understood</h1>"
            f'<p class="soft">{escape(course)}, {made:%d %B %Y, %H:%M}</p>'
            f"<p>{len(found.outcomes)} submissions: {', '.join(counts)}."
            f"{middle}</p>"
        )

    def overview(self, exercises: Sequence[Standings]) -> str:
        """Learners by exercises, the strongest first."""
        key = "".join(
            f'<li><b class="{kind}">{sign}</b>{standing}</li>'
            for standing, (sign, kind) in _SIGNS.items()
        )
        heads = "".join(
            f'<th scope="col"><a href="#{_anchor(each)}">{_breakable(each.function)}</a></th>'
            for each in exercises
        )
        ordered = sorted(self._found.outcomes, key=lambda each: (-(each.score or 0), each.learner))
        rows = "".join(self._row(each, exercises) for each in ordered)
        return (
            f'<h2>At a glance</h2><ul class="key">{key}</ul>'
            '<div class="scroll" tabindex="0" role="region" aria-label="Learners by exercises">'
            '<table class="class"><caption>A row for each learner, most points first; beside each '
            "sign the points</caption>"
            f'<thead><tr><th scope="col">learner</th>{heads}<th scope="col">points</th></tr>'
            f"</thead><tbody>{rows}</tbody></table></div>"
        )

    def _row(self, outcome: GradedSubmission, exercises: Sequence[Standings]) -> str:
        cells = []
        for exercise in exercises:
            standing = exercise.of.get(outcome.learner)
            if standing is None:
                cells.append("<td></td>")
                continue
            sign, kind = _SIGNS[standing]
            points = exercise.points[outcome.learner]
            told = "" if points is None else f" {number(points)}"
            cells.append(f'<td class="{kind}">{sign}{told}</td>')
        total = "?" if outcome.score is None else number(outcome.score)
        return (
            f'<tr><th scope="row">{escape(outcome.learner)}</th>{"".join(cells)}'
            f'<td class="total">{total}</td></tr>'
        )

    def exercise(self, exercise: Standings) -> str:
        """One exercise: how the class stands, and what it misunderstood."""
        counts = [(each, exercise.count(each)) for each in STANDINGS]
        present = [(each, count) for each, count in counts if count]
        bar = ""
        for each, count in present:
            sign, kind = _SIGNS[each]
            bar += f'<span class="{kind}" style="flex: {count}">{sign} {count}</span>'
        told = ", ".join(f"{count} {each}" for each, count in present)
        points = "; ".join(
            f"{count} with {number(value)}" for value, count in exercise.distribution.items()
        )
        mistakes = "".join(
            self._mistake(each, is_open=number == 0)
            for number, each in enumerate(exercise.mistakes)
        )
        unwritten = [name for name, each in exercise.of.items() if each == "not written"]
        if unwritten:
            mistakes += f"<p>Not written yet: {_named(unwritten)}.</p>"
        return (
            f'<h2 id="{_anchor(exercise)}"><code>{escape(exercise.function)}</code></h2>'
            f'<div class="bar" aria-hidden="true">{bar}</div><p>{told}.'
            f' <span class="soft">Of {number(exercise.most)} points: '
            f"{points or 'nobody yet'}.</span></p>"
            f"{mistakes}"
        )

    def _mistake(self, mistake: SharedMistake, *, is_open: bool) -> str:
        count = len(mistake.learners)
        parts = []
        if mistake.example and mistake.example != mistake.says:
            parts.append(f"<p>Such as: <code>{escape(mistake.example)}</code></p>")
        if mistake.rule:
            parts.append(f'<p class="soft">The rule: {escape(mistake.rule)}</p>')
        if is_diagram(mistake.picture):
            # What scrolls can be reached by keyboard.
            picture = mistake.picture.replace("<pre ", '<pre tabindex="0" ')
            parts.append(f'<div class="picture">{picture}</div>')
        who = "1 learner" if count == 1 else f"{count} learners"
        says = escape(mistake.says[:1].upper() + mistake.says[1:])
        if not mistake.is_known:
            says = f"<code>{escape(mistake.says)}</code>"
        return (
            f"<details{' open' if is_open else ''}><summary><b>{who}.</b> {says}</summary>"
            f"{''.join(parts)}<p>Made by {_named(mistake.learners)}.</p></details>"
        )

    def humans(self) -> str:
        """Who needs a human, and why."""
        rows = [
            (escape(each.learner), "; ".join(map(escape, each.reasons)) or "see above")
            for each in self._found.outcomes
            if each.status == "needs a human"
        ]
        return _section("Needs a human", ("learner", "why"), rows)

    def late(self) -> str:
        """Who came late."""
        rows = [
            (
                escape(each.learner),
                lateness(each.late),
                f"{number(each.penalty)} points less" if each.penalty else "no points less",
            )
            for each in sorted(self._found.outcomes, key=lambda each: -each.late)
            if each.late > 0
        ]
        return _section("Late", ("learner", "how late", "penalty"), rows)

    def missing(self) -> str:
        """Who is not in the report."""
        found = self._found
        told = []
        if found.waiting:
            told.append(f"<p>Not graded yet: {_named(found.waiting)}.</p>")
        if found.forgotten:
            told.append(
                f"<p>Of {found.forgotten} submissions it is not kept what was found; their "
                "mistakes are missing above.</p>"
            )
        if found.absent:
            told.append(f"<p>Nothing handed in: {_named(found.absent)}.</p>")
        return f"<h2>Not in this report</h2>{''.join(told)}" if told else ""

    def time(self) -> str:
        """How long learners' cells computed."""
        ran = [each for each in self._found.outcomes if each.seconds]
        if not ran:
            return ""
        slowest = sorted(ran, key=lambda each: -each.seconds)[:_SLOWEST]
        named = ", ".join(f"{escape(each.learner)} {each.seconds:.1f} s" for each in slowest)
        return (
            "<h2>Time</h2><p>Seconds of processor time that a notebook took: "
            f"{median(each.seconds for each in ran):.1f} for half of them, "
            f"{sum(each.seconds for each in ran):.0f} in all. Longest: {named}.</p>"
        )


def _section(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{each}</th>' for each in heads)
    body = "".join(f"<tr>{''.join(f'<td>{each}</td>' for each in row)}</tr>" for row in rows)
    return f"<h2>{title}</h2><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _breakable(name: str) -> str:
    """A name that may go on in the next line after each of its words."""
    return re.sub(r"(?<=[a-z_])(?=[A-Z])|(?<=_)(?=.)", "<wbr>", escape(name))


def _anchor(exercise: Standings) -> str:
    return "exercise-" + re.sub(r"[^\w-]", "-", exercise.function)


def _named(learners: Sequence[str]) -> str:
    return escape(", ".join(sorted(learners, key=_in_order)))


def _in_order(name: str) -> tuple[int, str]:
    """By name; numbered ones by number."""
    number = name.rpartition(" ")[2]
    return (int(number) if number.isdecimal() else 0, name)
