"""The mutation tool, and its list of mutants that change nothing."""

import sys

import pytest

from stridekit_course.exercises import EXERCISES
from tests.course.notebooks.notebooks import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import mutants

KNOWN = mutants.solutions()


def lines_of(function):
    """The lines of the model solution, evenly spaced."""
    return [" ".join(line.split()) for line in KNOWN[function][1].splitlines()]


@pytest.mark.parametrize("key", mutants.equivalents(), ids=lambda key: f"{key[0]}: {key[2]}")
def test_what_is_listed_as_equivalent_is_still_in_the_solution(key):
    """With an argument. Whether it still survives, `make mutants` says."""
    function, was, became = key
    assert was in lines_of(function)
    assert was != became
    assert mutants.equivalents()[key].endswith(".")


def test_every_solution_is_found_with_what_stands_before_it():
    """One for each exercise; a later one may call an earlier one of its notebook."""
    assert set(KNOWN) == set(EXERCISES)
    before, solution = KNOWN["contiguous"]
    assert solution.startswith("def contiguous(")
    assert "def isContiguous(" in before
    assert "import torch" in before


def test_mutants_are_small_changes_each_once():
    """Of operators and numbers by cosmic-ray, of parameters by the tool itself."""
    made = [*mutants.mutants("position", KNOWN["position"][1])]
    codes = [mutant.code for mutant in made]
    assert len(set(codes)) == len(codes)
    assert KNOWN["position"][1] not in codes
    assert any("stride" in mutant.was and "index" in mutant.became for mutant in made)
    assert len(made) > 10


def test_a_mutant_is_killed_and_an_equivalent_one_survives():
    """So that neither a broken check nor a broken tool goes unnoticed."""
    before, solution = KNOWN["c_strides"]
    for mutant in mutants.mutants("c_strides", solution):
        assert not mutants.survives((mutant, before))
    unchanged = mutants.Mutant("c_strides", "", "", solution)
    assert mutants.survives((unchanged, before))


def test_the_command_names_an_unknown_function(capsys, monkeypatch):
    """Exit status 1, one sentence."""
    monkeypatch.setattr(sys, "argv", ["mutants.py", "c_stride"])
    assert mutants.main() == 1
    said = capsys.readouterr().err
    assert "no solution of c_stride in source/. There are: c_strides," in said
