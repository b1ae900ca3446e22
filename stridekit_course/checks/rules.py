"""Which calls an exercise forbids, and why."""

from dataclasses import dataclass

from stridekit_course.checks.callee import SourceCall, Watch

# What reads a tensor's header, and nothing else.
HEADER = ("size", "shape", "stride", "dim", "ndim", "numel")
# Printing a tensor reads its elements, and helps somebody who looks for a mistake.
PRINTING = ("__repr__", "__str__", "__format__")
# What keeps torch from noting gradients reads nothing, and many write it before everything.
NO_GRADIENTS = ("no_grad", "_set_grad_enabled", "inference_mode")


@dataclass(frozen=True, slots=True)
class Rules:
    """The calls that an exercise forbids. Names are as in `watching`.

    With `only`, these last names of a tensor are allowed and no others. Otherwise `forbidden`
    are last names of functions, wherever they come from, and so are those that end in one of
    `endings`. `why` is for the learner.
    """

    watch: Watch
    why: str
    only: frozenset[str] | None = None
    forbidden: frozenset[str] = frozenset()
    endings: tuple[str, ...] = ()

    def forbids_seen(self, name: str) -> bool:
        """Whether a call that was seen as it ran is forbidden."""
        last = name.rpartition(".")[2]
        if self.watch == "plain":
            return True
        if self.only is not None and not name.startswith("numpy."):
            return last not in self.only
        return self._forbids(last)

    def forbids_written(self, call: SourceCall) -> bool:
        """Whether a call that stands in the source is forbidden, whatever it is called on.

        Of `.name` nobody knows that: a list has a `sort` too, and a learner's own class may have
        a `flatten`. What it does is seen when it runs. A method of the argument itself is known,
        where arguments are tensors.
        """
        holder, _, last = call.name.rpartition(".")
        if holder == "argument":
            return self.watch == "tensors" and self._forbids(last)
        return bool(holder) and self.forbids_seen(call.name)

    def _forbids(self, last: str) -> bool:
        return last in self.forbidden or last.endswith(self.endings)


PLAIN = Rules(
    "plain", "This exercise is plain Python on numbers: no call of torch, NumPy or stridekit."
)


# What answers whether a tensor is contiguous, or leads to it. Of NumPy what makes an array with
# strides that are given, for that has flags.
_ANSWERS = ("is_contiguous", "contiguous", "tolist", "data_ptr", "item", "as_strided", "ndarray")


def header_only(name: str, *forbidden: str) -> Rules:
    """For a function that may read nothing but a tensor's header."""
    return Rules(
        "tensors",
        f"{name} may read only the header: size, shape, stride, dim, ndim and numel.",
        frozenset((*HEADER, *PRINTING, *NO_GRADIENTS)),
        frozenset((*forbidden, *_ANSWERS)),
    )


def without(why: str, *forbidden: str, endings: tuple[str, ...] = ()) -> Rules:
    """For a function on tensors that may not call those, nor any with such an ending."""
    return Rules("tensors", why, forbidden=frozenset(forbidden), endings=endings)
