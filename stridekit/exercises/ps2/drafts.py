"""What the exercises of ps2 have in common: an operation on a header, and dims that it names."""

from collections.abc import Iterator
from typing import Any, cast

from stridekit.checks.exercise import Arguments, Draft, Part, Refusal
from stridekit.checks.returns import Returns
from stridekit.exercises.ps2.dims import no_dim, rule_of_dims
from stridekit.exercises.ps2.headers import draw_size_and_stride, simplest_first


class HeaderDraft(Draft):
    """A draft whose cases begin with a size and a stride.

    `named` are the parameters that name dims, one or several each. A dim that is not there is
    refused, and explained, before the reference and the rule are asked. With `in_result` dims
    count in the result, which has one more.
    """

    def __init__(
        self,
        name: str,
        parameters: tuple[str, ...],
        *,
        place: int,
        returns: Returns,
        named: tuple[str, ...] = (),
        in_result: bool = False,
    ) -> None:
        super().__init__(name, parameters, place=place, returns=returns)
        self._naming = tuple(map(parameters.index, named))
        self._in_result = in_result
        self.picture(draw_size_and_stride)

    def reference(self, function: Part) -> Part:
        """See Draft. The plain small cases come first."""

        def expected(*arguments: Any) -> Any:
            return self._refusal(arguments) or function(*arguments)

        self.weigh(simplest_first(expected))
        return cast(Part, super().reference(expected))

    def rule(self, function: Part) -> Part:
        """See Draft."""

        def sentence(*arguments: Any) -> str:
            if self._refusal(arguments) is None:
                return str(function(*arguments))
            rank = self._rank(arguments)
            if not self._in_result:
                return rule_of_dims(rank)
            return (
                f"the new dim counts in the result, of rank {rank - 1} + 1 = {rank}: "
                f"{rule_of_dims(rank)}"
            )

        return cast(Part, super().rule(sentence))

    def _refusal(self, arguments: Arguments) -> Refusal | None:
        whose = "the result, a tensor" if self._in_result else "a tensor"
        refusals = (no_dim(dim, self._rank(arguments), whose) for dim in self._dims(arguments))
        return next((refusal for refusal in refusals if refusal), None)

    def _dims(self, arguments: Arguments) -> Iterator[int]:
        for number in self._naming:
            named = arguments[number]
            yield from named if isinstance(named, tuple) else (named,)

    def _rank(self, arguments: Arguments) -> int:
        return len(arguments[0]) + self._in_result
