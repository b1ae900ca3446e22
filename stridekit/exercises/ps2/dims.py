"""What ps2 shares on dims: which there are, bad ones, and their refusal."""

from stridekit.checks.exercise import Refusal
from stridekit.layouts.layout import Ints

WRAPPED = (
    "this is what you get if a dim that is not there is wrapped around, such as with %. Test it "
    "first."
)


def dims_of(rank: int) -> range:
    """Every way to name a dim: 0 to rank - 1, and -rank to -1."""
    return range(-rank, rank)


def bad_dims(rank: int) -> Ints:
    """Some dims that are not there, the nearest first: also far outside, and of two digits."""
    return (rank, -rank - 1, 2 * rank + 1, -2 * rank - 3, rank + 9, -rank - 100)


def no_dim(dim: int, rank: int, whose: str = "a tensor") -> Refusal | None:
    """The refusal of a dim that is not there."""
    if dim in dims_of(rank):
        return None
    if not rank:
        return Refusal("IndexError", f"{whose} of rank 0 has no dims")
    return Refusal(
        "IndexError", f"{dim} is none of the dims {-rank} to {rank - 1} of {whose} of rank {rank}"
    )


def rule_of_dims(rank: int) -> str:
    """Which dims there are, as a sentence."""
    if not rank:
        return "rank 0 means that there are no dims, so no dim can be named."
    if rank == 1:
        return "the one dim is called 0, or -1 counted from the right; nothing else is a dim."
    join = "and" if rank == 2 else "to"
    return (
        f"rank {rank} has the dims 0 {join} {rank - 1}, which are {-rank} {join} -1 counted from "
        "the right; nothing else is a dim."
    )


def with_dim(numbers: Ints, dim: int, number: int) -> Ints:
    """The numbers with another one for that dim."""
    return tuple(number if d == dim % len(numbers) else n for d, n in enumerate(numbers))


def without_dim(numbers: Ints, dim: int) -> Ints:
    """The numbers without that of one dim."""
    return tuple(n for d, n in enumerate(numbers) if d != dim % len(numbers))
