"""Hidden cases cross what a header can be, two and two: so what is wrong there alone is seen.

What each case is, is read off the case itself, not off the way in which it was made.
"""

from fnmatch import fnmatch
from itertools import combinations

import pytest

from stridekit_course.checks.exercise import SEED
from stridekit_course.exercises import EXERCISES

# What a header can be, and how many dims that takes.
TAKES = {
    "size 0": 1,
    "size 1": 1,
    "size of two digits": 1,
    "size twice": 2,
    "stride 0": 1,
    "stride 0 twice": 2,
    "stride twice": 2,
    "stride beyond floats": 1,
    "stride below 0": 1,
    "order row-major": 2,
    "order column-major": 2,
    "order neighbours": 3,
    "order shuffled": 3,
}
# These take dims of their own, beside those of the other ones.
APART = ("size 0", "size 1", "stride 0", "stride 0 twice")
# Pairs that no case can be or that the text leaves out, and why.
LEFT_OUT = {
    "can_view, view_stride, reshape": {
        ("new rank 0", "[dsio]* [!1]*"): "a size without dims has one element, and so has the old",
        ("new dims 0", "order *"): "the same",
        ("rank 0", "new size [!1]*"): "the same, the other way round",
    },
    "expand": {
        ("new dims [0123]", "order *"): "it is refused where the new size has fewer dims",
        ("new rank [012]", "s* *"): "the same",
    },
    "select, slice_dim": {("rank 0", "*"): "it has no dim, so all is refused"},
    "load_image": {("offset 0", "stride below 0"): "the first element lies behind others"},
    "sliding_window": {("rank 1", "size 0"): "the dim of the windows has at least one element"},
    "view_dtype": {
        ("order column-major", "*"): "the last stride is 1, or else it is refused",
        ("dims 3", "order shuffled"): "the same",
        ("rank 1", "stride beyond floats"): "the same: there is no other stride",
    },
    "is_channels_last": {
        ("rank [!4]", "*"): "in another rank the answer is False, whatever else",
        ("dims [!4]*", "*"): "the same",
    },
}


def kinds_of(size, stride=None, new=""):
    """What a header is, as words; `new` stands before those of a new size."""
    found = {f"{new}rank {len(size)}", f"{new}dims {min(len(size), 5)}"}
    long = [n for n in size if n > 1]
    tests = {
        "0": 0 in size,
        "1": 1 in size,
        "of two digits": max(size, default=0) > 9,
        "twice": len({*long}) < len(long),
    }
    found |= {f"{new}size {kind}" for kind, holds in tests.items() if holds}
    return found if stride is None else found | strides_of(size, stride)


def strides_of(size, stride):
    """What its strides are: those of dims of size 1 are never used."""
    used = [step for n, step in zip(size, stride, strict=True) if n != 1]
    steps = [abs(step) for n, step in zip(size, stride, strict=True) if n > 1 and step]
    others = [step for step in used if step]
    tests = {
        "stride 0": 0 in used,
        "stride 0 twice": used.count(0) > 1,
        "stride twice": len({*others}) < len(others),
        "stride beyond floats": any(abs(step) > 2**53 for step in used),
        "stride below 0": min(used, default=0) < 0,
    }
    if len(steps) > 1 and len({*steps}) == len(steps):
        tests[f"order {order_of(steps)}"] = True
    return {kind for kind, holds in tests.items() if holds}


def order_of(steps):
    """In which order different strides stand, by name."""
    falling = sorted(steps, reverse=True)
    if steps in (falling, falling[::-1]):
        return "row-major" if steps == falling else "column-major"
    moved = [place for place, step in enumerate(steps) if step != falling[place]]
    return "neighbours" if moved == [moved[0], moved[0] + 1] else "shuffled"


def kinds_in(parameters, case):
    """What the arguments of a case are, as sets of words: one for each tensor, or one for all."""
    tensors = [
        kinds_of(each.size, each.stride)
        | {f"dtype {each.dtype}", f"offset {min(each.storage_offset, 1)}"}
        for each in case.tensors
    ]
    # broadcast_sizes takes any number of sizes.
    if len(parameters) != len(case.arguments):
        return [kinds_of(size) for size in case.arguments]
    given = dict(zip(parameters, case.arguments, strict=True))
    size = given.get("size", given.get("shape"))
    stride = given.get("stride", given.get("byte_strides"))
    found = set()
    if type(size) is tuple:
        found |= kinds_of(size, stride)
    elif type(stride) is tuple:
        found |= {f"rank {len(stride)}"} | strides_of((2,) * len(stride), stride)
    if "storage_offset" in given:
        found.add(f"offset {min(given['storage_offset'], 1)}")
    if "new_size" in given:
        found |= kinds_of(given["new_size"], new="new ")
    if "itemsize" in given:
        found.add(f"itemsize {'2**n' if given['itemsize'].bit_count() == 1 else 'other'}")
    if "dim" in given:
        found.add(f"dim {'from the right' if given['dim'] < 0 else 'from the left'}")
    return [each | found for each in tensors or [set()]]


def can_meet(one, other, most):
    """Whether a header of that many dims can be both, and whether it is asked for."""
    subjects = [each.removeprefix("new ").split()[0] for each in (one, other)]
    alike = one.startswith("new ") == other.startswith("new ")
    if alike and subjects[0] == subjects[1] and not {*subjects} <= {"size", "stride"}:
        return False
    # In which order they stand depends on how many dims there are, roughly; nothing else does.
    twice = "stride twice" in (one, other), "stride 0 twice" in (one, other)
    if all(twice) or ("order" in subjects and ("rank" in subjects or any(twice))):
        return False
    if "dims" in subjects and "order" not in subjects:
        return False
    if alike:
        ranks = [each for each in (one, other) if "rank" in each or "dims" in each]
        most = int(ranks[0].split()[-1]) if ranks else most
    both = [TAKES.get(each.removeprefix("new "), 0) for each in (one, other)]
    return (sum(both) if one in APART or other in APART else max(both)) <= most


@pytest.mark.parametrize("name", EXERCISES)
def test_hidden_cases_cross_all_that_a_header_can_be(name):
    """Each kind that comes meets each other kind that it can meet."""
    batch = EXERCISES[name].batch(hidden=True, seed=SEED)
    cases = batch.cases[: batch.distinct]
    seen = {
        frozenset(each) for case in cases for each in kinds_in(EXERCISES[name].parameters, case)
    }
    kinds = sorted(set().union(*seen))
    most = max((int(each.split()[-1]) for each in kinds if each.startswith("rank")), default=0)
    met = {pair for each in seen for pair in combinations(sorted(each), 2)}
    left_out = [
        pair for names, pairs in LEFT_OUT.items() if name in names.split(", ") for pair in pairs
    ]
    missing = [
        f"{one}, {other}"
        for one, other in combinations(kinds, 2)
        if (one, other) not in met
        and can_meet(one, other, most)
        and not any(
            (fnmatch(one, a) and fnmatch(other, b)) or (fnmatch(one, b) and fnmatch(other, a))
            for a, b in left_out
        )
    ]
    assert not missing, missing
