"""Words for looks hold on every page, light, dark and in print; and sentences read well.

A picture turns white, black and greys round where the page is dark, and pale fills become deep. So
texts say what stays: boxed, dashed, hatched, outlined, underlined, crossed. Fills keep their
colours, and what an image shows is as it is.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import ROOT
from tests.course.notebooks.notebooks import ALL

SHADE = r"(?:black|white|gr[ea]y|pale|faint|dark|light|bright)(?:er)?"
MARK = (
    r"(?:numbers?|digits?|values?|cells?|slots?|box(?:es)?|corners?|bars?|frames?|outlines?|"
    r"lines?|brackets?|ones?)"
)
UNTRUE_IN_THE_DARK = re.compile(
    rf"\b{SHADE}(?:,? [a-z]+)?,? {MARK}\b"
    rf"|\b(?:marked|drawn|left|shown|painted) (?:in )?(?:red|{SHADE})\b(?! where| on)"
    rf"|\b(?:numbers?|cells?|slots?|lines?|ones?) (?:is|are|in) {SHADE}\b",
    re.IGNORECASE,
)
# What no Briton says, and what calls one thing by a second name.
UNIDIOMATIC = re.compile(
    r"\b[Hh]ow many [a-z]+ (?:has|are it)\b"
    r"|\b(?:[Ii]n which|[Ww]hich|[Oo]ne|[Nn]one) of both\b"
    r"|\bSo (?:many|much)(?: [a-z]+)? (?:all|has|it|would)\b|\bSo (?:many, if|it would be)\b"
    r"|\bHere is no\b|, and no times\b|\bWho (?:handed|waits)\b|\bfor who\b"
    r"|\b(?:he|his|him)\b"
    r"|\b(?:count|mov)(?:e|es|s|ing)? fastest\b"
    r"|(?<!here) (?:is|was) no (?:[a-z]+ )?(?:index|number|dim|dtype|device|name|text|tensor|array|"
    r"view|copy|size|multiple|function|kind|file|folder|notebook|course|archive|package|tuple)\b"
    r"|\banother (?:\S+ ){0,3}than\b|\bother way round than\b"
    r"|\} is no (?!longer)[a-z]|\b(?:[Gg]rade|[Mm]ake|[Ss]ay|[Ww]rite|[Ss]how)s? also\b"
)
TEXTS = [
    ROOT / "README.md",
    *(path for folder in ("docs", "site") for path in sorted((ROOT / folder).rglob("*.md"))),
    *sorted((ROOT / "stridekit_course").rglob("*.toml")),
    *(
        path
        for folder in ("stridekit/explorers", "stridekit/diagrams/scenes", "stridekit_course")
        for path in sorted((ROOT / folder).rglob("*.py"))
    ),
]
# Messages and docstrings; those of renderers speak of light and dark.
CODE = [
    path
    for package in ("stridekit", "stridekit_course", "stridekit_grading")
    for path in sorted((ROOT / package).rglob("*.py"))
]


def untrue(text: str) -> list[str]:
    """Words for looks that some page belies."""
    return [found[0] for found in UNTRUE_IN_THE_DARK.finditer(text)]


def unidiomatic(text: str) -> list[str]:
    """Phrases that one stumbles over when they are read aloud."""
    return [found[0] for found in UNIDIOMATIC.finditer(text)]


def cells(path: Path) -> Iterator[str]:
    """What somebody reads of a notebook, code and its comments included."""
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        yield "".join(cell["source"])


@pytest.mark.parametrize(
    "sentence",
    [
        "Compare the black numbers.",
        "a black one is a line switch",
        "Pale, dashed cells are the same memory once more.",
        "and no slot is left grey.",
        "The last pixels, marked in red at the bottom",
        "A dark corner marks what has changed.",
        "a step leads over grey slots",
        "The slots are grey that no index reaches.",
    ],
)
def test_words_that_were_untrue_are_known(sentence):
    """Sentences that stood in lessons, and that a dark page belied."""
    assert untrue(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Compare the boxed numbers.",
        "A bar under its value marks what has changed.",
        "Cut the eyes out of a picture, and paint the piece black.",
        "64 rows of 96 pixels in grey",
        "from 0 for black to 9 for white",
        "The picture is dark where the page is.",
        "It is red, green, blue: three bytes of a pixel.",
    ],
)
def test_words_that_hold_are_let_through(sentence):
    """What stays, and what an image shows."""
    assert not untrue(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "How many bytes are it in all?",
        "How many slots has the storage now?",
        "In which of both do neighbours lie side by side?",
        "So many bytes would all frames take if they were copied out.",
        "So many, if a column lay in one piece.",
        "So much would cat write.",
        "Here is no GPU that CUDA can use.",
        "Who waits takes no place from who computes.",
        "it says whose each number is, and when he handed in",
        "The last dim counts fastest.",
        "the *first* dim moves fastest",
        "{cut(wrong[0])!r} is no whole number.",
        "makes also pages that are there",
        "a visit to another cache line than the one before",
        "each that is another than the one before it",
        "the other way round than on this machine",
    ],
)
def test_sentences_that_one_stumbled_over_are_known(sentence):
    """They stood in questions, exercises and guides."""
    assert unidiomatic(sentence)


@pytest.mark.parametrize("kind", [untrue, unidiomatic], ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_notebooks_have_no_such_words(path, kind):
    """Looks hold beside a picture on a light page and on a dark one, and sentences read well."""
    assert {cell: kind(cell) for cell in cells(path) if kind(cell)} == {}


@pytest.mark.parametrize(
    ("kind", "texts"),
    [(untrue, TEXTS), (unidiomatic, TEXTS), (unidiomatic, CODE)],
    ids=("looks", "sentences", "sentences-in-code"),
)
def test_texts_have_no_such_words(kind, texts):
    """Guides, questions, and what pictures, explorers and checks say."""
    said = {str(path.relative_to(ROOT)): kind(path.read_text("utf-8")) for path in texts}
    assert {path: words for path, words in said.items() if words} == {}
