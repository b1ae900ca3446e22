"""Which calls an exercise forbids, and why."""

from dataclasses import dataclass

from stridekit.checks.seam import SourceCall, Watch

# What reads a tensor's header, and nothing else.
HEADER = ("size", "shape", "stride", "dim", "ndim", "numel")
# Printing a tensor reads its elements, and helps somebody who looks for a mistake.
PRINTING = ("__repr__", "__str__", "__format__")


@dataclass(frozen=True, slots=True)
class Rules:
    """The calls that an exercise forbids. Names are as in `watching`.

    With `only`, these last names of a tensor are allowed and no others. Otherwise `forbidden`
    are last names of functions, wherever they come from. `why` is for the learner.
    """

    watch: Watch
    why: str
    only: frozenset[str] | None = None
    forbidden: frozenset[str] = frozenset()

    def forbids_seen(self, name: str) -> bool:
        """Whether a call that was seen as it ran is forbidden."""
        last = name.rpartition(".")[2]
        if self.watch == "plain":
            return True
        if self.only is not None and not name.startswith("numpy."):
            return last not in self.only
        return last in self.forbidden

    def forbids_written(self, call: SourceCall) -> bool:
        """Whether a call that stands in the source is forbidden.

        Of `.name` nobody knows on what it is called: a list has a `sort` too. So only the
        names that are forbidden by name count.
        """
        if call.name.startswith("."):
            return call.name[1:] in self.forbidden
        return self.forbids_seen(call.name)


PLAIN = Rules(
    "plain",
    "This exercise is plain Python on numbers: no call of torch, NumPy or stridekit.",
)


def header_only(name: str, *forbidden: str) -> Rules:
    """For a function that may read nothing but a tensor's header."""
    return Rules(
        "tensors",
        f"{name} may read only the header: size, shape, stride, dim, ndim and numel.",
        frozenset((*HEADER, *PRINTING)),
        frozenset({*forbidden, "is_contiguous", "contiguous", "tolist", "data_ptr", "item"}),
    )


def without(why: str, *forbidden: str) -> Rules:
    """For a function on tensors that may not call those."""
    return Rules("tensors", why, forbidden=frozenset(forbidden))
