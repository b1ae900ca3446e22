"""What a test cell holds in place of what lives in a learner's process.

A proxy can be called, iterated, indexed and asked for its attributes. What comes back is data, or
another proxy. It never answers for itself when it is compared: whoever writes `__eq__` in a
learner's process would be judging his own work.
"""

import ast
import builtins
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from stridekit_course.checks import wire
from stridekit_course.checks.callee import (
    BatchOutcomes,
    Callee,
    Case,
    Elsewhere,
    Outcome,
    SourceCall,
    Watch,
)
from stridekit_grading.sandbox.known_outcomes import Answered

# Names of what Python and its libraries look for in whatever they are given.
_ASKED_IN_PASSING = "__", "_repr_", "_ipython_", "_render_"


class Link(Protocol):
    """The way to a learner's process."""

    asks_for_classes: bool
    """Whether the course has learners write classes, which its tests may ask to compute."""
    mentioned: frozenset[str]
    """The attributes that the present test names."""
    answered: Answered
    """What checks have found right since the last cell."""

    def apply(self, operation: str, /, *arguments: Any, **names: Any) -> Any:
        """Have something done over there, with what may cross."""

    def refuse(self, why: str) -> NoReturn:
        """Say that the test asks for what cannot cross, and stop it. Raises CannotCrossError."""
        raise NotImplementedError

    def read(self, number: int) -> Any:
        """The calls in a function's source, as they were told; see `wire.heard`."""

    def run_batch(self, number: int, cases: Sequence[Case], watch: Watch, *, closely: bool) -> Any:
        """The outcomes of a batch, as they were told."""


class Remote(Elsewhere):
    """Something that lives in a learner's process."""

    # A learner's object may have a `_name` of its own.
    __slots__ = ("_remote_is_function", "_remote_link", "_remote_name", "_remote_number")
    if TYPE_CHECKING:
        _remote_link: Link
        _remote_name: str
        _remote_number: int

    def __init__(self, link: Link, number: int, name: str, *, is_function: bool) -> None:
        put = object.__setattr__
        put(self, "_remote_link", link)
        put(self, "_remote_number", number)
        put(self, "_remote_name", name)
        put(self, "_remote_is_function", is_function)

    def __getattr__(self, name: str) -> Any:
        known = name in ("__name__", "__qualname__") or name in self._remote_link.mentioned
        if name.startswith(_ASKED_IN_PASSING) and not known:
            raise AttributeError(
                f"{self._remote_name} lives in another process, without its {name}."
            )
        if not self._remote_is_function:
            self._remote_must_be_asked_for("asks for an attribute of")
        return self._remote_link.apply("getattr", self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._remote_link.apply("setattr", self, name, value)

    def __call__(self, /, *arguments: Any, **names: Any) -> Any:  # noqa: D102 - its name says it
        return self._remote_link.apply("call", self, *arguments, **names)

    def __callee__(self) -> Callee:
        """Whatever it is said to be: a check runs it over there."""
        return _RemoteCallee(self._remote_link, self._remote_number)

    def __iter__(self) -> Any:
        return self._remote_link.apply("iter", self)

    def __next__(self) -> Any:
        return self._remote_link.apply("next", self)

    def __len__(self) -> Any:
        self._remote_must_be_asked_for("computes with")
        return self._remote_link.apply("len", self)

    def __bool__(self) -> Any:
        if self._remote_is_function:
            return True
        self._remote_must_be_asked_for("computes with")
        return self._remote_link.apply("bool", self)

    def __int__(self) -> Any:
        self._remote_must_be_asked_for("computes with")
        return self._remote_link.apply("int", self)

    def __float__(self) -> Any:
        self._remote_must_be_asked_for("computes with")
        return self._remote_link.apply("float", self)

    def __str__(self) -> str:
        return str(self._remote_link.apply("str", self))

    def __repr__(self) -> str:
        return str(self._remote_link.apply("repr", self))

    def __enter__(self) -> Any:
        self._remote_must_be_asked_for("computes with")
        return self._remote_link.apply("enter", self)

    def __exit__(self, *_: object) -> Any:
        self._remote_must_be_asked_for("computes with")
        return self._remote_link.apply("exit", self)

    def __getitem__(self, key: Any) -> Any:
        self._remote_must_be_asked_for("computes with")
        return self._remote_link.apply("getitem", self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._remote_link.apply("setitem", self, key, value)

    def __delitem__(self, key: Any) -> None:
        self._remote_link.apply("delitem", self, key)

    def __contains__(self, item: Any) -> Any:
        self._remote_must_be_asked_for("computes with")
        return self._remote_link.apply("contains", self, item)

    def __instancecheck__(self, instance: Any) -> Any:
        return self._remote_link.apply("isinstance", instance, self)

    def __subclasscheck__(self, subclass: Any) -> Any:
        return self._remote_link.apply("issubclass", subclass, self)

    def _remote_cannot(self, what: str) -> NoReturn:
        self._remote_link.refuse(
            f"the test {what} {self._remote_name or 'something'} of the learner's, which is no "
            "data, and only data can be judged outside of the learner's process"
        )

    def _remote_must_be_asked_for(self, what: str) -> None:
        """Where no class was asked for, an object of the learner's must not do the judging."""
        if not self._remote_link.asks_for_classes:
            self._remote_cannot(what)

    def __eq__(self, other: object) -> bool:
        return self is other or self._remote_cannot("compares")

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: object) -> Any:
        self._remote_cannot("compares")

    __gt__ = __le__ = __ge__ = __lt__

    def __hash__(self) -> int:
        self._remote_cannot("takes the hash of")

    def __reduce_ex__(self, _: object) -> Any:
        self._remote_cannot("copies")

    @property
    def __class__(self) -> Any:
        """What `isinstance` asks for, and `inspect`."""
        self._remote_cannot("asks for the type of")

    @__class__.setter
    def __class__(self, _: object) -> None:
        self._remote_cannot("changes the type of")

    @property
    def __doc__(self) -> Any:  # type: ignore[override]
        """The docstring of what it stands for."""
        return self._remote_link.apply("getattr", self, "__doc__")

    @property
    def __annotations__(self) -> Any:  # type: ignore[override]
        """The annotations of what it stands for."""
        return self._remote_link.apply("getattr", self, "__annotations__")

    @property
    def __module__(self) -> Any:  # type: ignore[override]
        """The module of what it stands for."""
        return self._remote_link.apply("getattr", self, "__module__")


def _operator(name: str) -> Callable[..., Any]:
    def operate(self: Remote, *others: Any) -> Any:
        self._remote_must_be_asked_for("computes with")
        return self._remote_link.apply(name, self, *others)

    return operate


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "matmul", "pow"):
    setattr(Remote, f"__{_name}__", _operator(_name))
    setattr(Remote, f"__r{_name}__", _operator(f"r{_name}"))
setattr(Remote, "__neg__", _operator("neg"))  # noqa: B010 - as those above


def _refusal(self: Remote, *_: Any) -> NoReturn:
    self._remote_cannot("computes with")


# What a learner's class may have too, and nobody has asked for yet.
for _name in (
    *("await", "aiter", "anext", "aenter", "aexit", "abs", "round", "trunc", "floor", "ceil"),
    *("pos", "invert", "divmod", "rdivmod", "reversed", "bytes", "complex", "index", "format"),
    *("and", "or", "xor", "lshift", "rshift", "rand", "ror", "rxor", "rlshift", "rrshift"),
):
    setattr(Remote, f"__{_name}__", _refusal)


class _RemoteCallee(Callee):
    """A learner's function, for a check that runs it on a batch."""

    __slots__ = ("_link", "_number")

    def __init__(self, link: Link, number: int) -> None:
        self._link, self._number = link, number

    def read(self) -> Sequence[SourceCall]:
        """See Callee."""
        return _tuple_of(SourceCall, self._link.read(self._number))

    def run(self, cases: Sequence[Case], watch: Watch, *, closely: bool = False) -> BatchOutcomes:
        """See Callee."""
        known = None if closely else self._link.answered.before(self._number, watch, cases)
        if known is None:
            return self._asked(cases, watch, closely=closely)
        before, rest = known
        return rest.joined(before, self._asked(rest.cases, watch, closely=False))

    def found_right(self, cases: Sequence[Case], watch: Watch, run: BatchOutcomes) -> None:
        """See Callee."""
        self._link.answered.keep(self._number, watch, cases, run)

    def _asked(self, cases: Sequence[Case], watch: Watch, *, closely: bool) -> BatchOutcomes:
        run = wire.heard(self._link.run_batch(self._number, cases, watch, closely=closely))
        if type(run) is not BatchOutcomes:
            raise wire.WireError("an answer that is no run of a batch.")
        # Whoever skips the rest would be judged by what he chose.
        stopped_early = len(run.outcomes) < len(cases) and (
            not run.outcomes or run.outcomes[-1].kind != "stopped"
        )
        if stopped_early:
            return run._replace(outcomes=(*run.outcomes, Outcome("stopped", raised="all")))
        return run


def _tuple_of(kind: type, told: Any) -> tuple[Any, ...]:
    items = wire.heard(told)
    if type(items) is not tuple or {*map(type, items)} - {kind}:
        raise wire.WireError(f"an answer that is no list of {kind.__name__}.")
    return items


class Proxies:
    """Makes proxies, each once for what it stands for."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._made: dict[int, Any] = {}

    def stand_in(self, number: int, sort: str, name: str, bases: list[str]) -> Any:
        """What stands for a thing of a learner's."""
        if number not in self._made:
            self._made[number] = self._make(number, sort, name, bases)
        return self._made[number]

    def _make(self, number: int, sort: str, name: str, bases: list[str]) -> Any:
        if sort == "error":
            return _error_class(self._link, name, bases)
        return Remote(self._link, number, name, is_function=sort == "function")


def number_of(thing: Any) -> int | None:
    """The number of what a proxy stands for; None for what is no proxy."""
    if type(thing) is Remote:
        number: int = object.__getattribute__(thing, "_remote_number")
        return number
    return None


def _error_class(link: Link, name: str, bases: list[str]) -> type:
    """An exception class of a learner's, so that `except ValueError` catches what is one."""

    def of_theirs(_: object, attribute: str) -> Any:
        if attribute.startswith(_ASKED_IN_PASSING):
            raise AttributeError(attribute)
        link.refuse(
            f"the test asks for {attribute} of {name}, which stays in the learner's process"
        )

    known = (getattr(builtins, each, None) for each in bases)
    base = next(
        (each for each in known if isinstance(each, type) and issubclass(each, Exception)),
        Exception,
    )
    called = name if name.isidentifier() else "LearnersError"
    return type(called, (base,), {"__getattr__": of_theirs})


class _TypeOf(ast.NodeTransformer):
    """`type(x)` in a test asks what `x` is, and of a proxy it would learn nothing."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """See NodeTransformer."""
        self.generic_visit(node)
        is_type = isinstance(node.func, ast.Name) and node.func.id == "type"
        if is_type and len(node.args) == 1 and not node.keywords:
            node.func = ast.copy_location(ast.Name(TYPE_OF, ast.Load()), node.func)
        return node


def type_of(thing: Any) -> Any:
    """As `type`, but no proxy has one."""
    return thing.__class__ if type(thing) is Remote else type(thing)


# How tests find `type_of`.
TYPE_OF = "_type_of"
TYPE_OF_IN_TESTS = _TypeOf()
