"""The plan's laws, in every case of a small scope."""

from itertools import product

import pytest

from stridekit_course.workfolder.manifest import Manifest, ManifestEntry, Version, is_inside
from stridekit_course.workfolder.plan import Kind, Present, plan

ONE, TWO, THREE = (Version(each, each) for each in ("one", "two", "three"))
RUN = Version("one, run", "one")
MINE = Version("mine", "mine")
STANDS = {
    "nothing": None,
    "one": Present(ONE),
    "one, run": Present(RUN),
    "two": Present(TWO),
    "mine": Present(MINE),
    "protected": Present(ONE, "it is read-only"),
    "a folder": Present(None, "it is not a file"),
    "shut": Present(None, "course is a link", is_shut=True),
}
BESIDE = {"nothing": None, "two": Present(TWO), "three": Present(THREE), "mine": Present(MINE)}
KNOWN = {
    "never seen": None,
    "one": ManifestEntry(frozenset({ONE})),
    "one and two": ManifestEntry(frozenset({ONE, TWO})),
    "coming": ManifestEntry(frozenset({ONE}), arrived=False),
    "offered": ManifestEntry(frozenset({ONE}), True, TWO, "a.new"),
}
COMING = {"nothing": {}, "one": {"a": ONE}, "two": {"a": TWO}, "three": {"a": THREE}}
CASES = [*product(STANDS, BESIDE, KNOWN, COMING, (False, True), (False, True))]


def steps_of(stands, beside, known, coming, fresh, certain):
    """The plan of one case, and what stands there."""
    there = {"a": STANDS[stands], "a.new": BESIDE[beside]}
    manifest = Manifest("1", {"a": KNOWN[known]} if KNOWN[known] else {})
    asked = {"a"} if fresh else set()
    return there, plan(manifest, there.get, COMING[coming], fresh=asked, is_certain=certain)


def test_the_laws_hold_in_every_case():
    """Of what may be written over, and what is known afterwards."""
    assert len(CASES) == 8 * 4 * 5 * 4 * 4
    for case in CASES:
        there, steps = steps_of(*case)
        entry = KNOWN[case[2]] or ManifestEntry()
        laid = {each.words for each in entry.laid}
        for step in steps:
            place = step.to or step.path
            stands = there.get(place)
            if step.kind in (Kind.LAY, Kind.REPLACE, Kind.BESIDE):
                new = COMING[case[3]]["a"]
                # What is written over says what stridekit laid there, and may be replaced.
                assert (stands is None) == (step.seen is None), case
                if stands is not None:
                    offered = [] if entry.offered is None else [entry.offered.words]
                    own = offered if step.to else laid
                    assert stands.version == step.seen, case
                    assert not stands.reason, case
                    assert step.seen.words in own or step.seen == new, case
                    known_bytes = {*entry.laid, entry.offered, new}
                    assert step.keeps or step.seen in known_bytes, case
            if step.kind is Kind.RETIRE:
                assert stands.version.words in laid, case
                assert not stands.reason, case
            if case[0] in ("mine", "a folder", "protected"):
                assert step.kind in (Kind.BESIDE, Kind.LEAVE), case
                # Where nothing comes that was not there, nothing is done.
                if entry.arrived and COMING[case[3]].get("a", MINE).words in laid and not case[4]:
                    assert step.kind is Kind.LEAVE, case
            if case[0] == "shut":
                assert step.kind in (Kind.SHUT, Kind.LEAVE), case
            # What nobody could vouch for is never taken for stridekit's.
            if step.entry is not None and not case[5]:
                assert step.entry.laid <= entry.laid, case


def test_once_done_nothing_is_left_to_do():
    """The plan of what a plan has made leaves everything."""
    for case in CASES:
        there, steps = steps_of(*case)
        (new,) = COMING[case[3]].values() or (None,)
        if not steps or steps[0].kind is Kind.SHUT:
            continue
        (step,) = steps
        after = dict(there)
        if step.kind in (Kind.LAY, Kind.REPLACE, Kind.BESIDE):
            after[step.to or step.path] = Present(new)
        if step.kind is Kind.RETIRE:
            after["a"] = None
        manifest = Manifest("1").with_entries({"a": step.entry})
        again = plan(manifest, after.get, COMING[case[3]], is_certain=case[5])
        left = {Kind.LEAVE} if case[5] or step.kind is not Kind.GONE else {Kind.LEAVE, Kind.GONE}
        assert {each.kind for each in again} <= left, case


@pytest.mark.parametrize(
    "path", ["", "/etc/passwd", "../a", "a/../../b", "C:a", "c:/a", "a\\..\\b", "a\0b", "."]
)
def test_names_that_lead_out_are_none(path):
    """On any system."""
    assert not is_inside(path)
